/** Path of the one document that may be framed: it shows HTML and SVG of answers. */
export const PREVIEW_PATH = '/preview';
