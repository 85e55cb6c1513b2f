/** Whether the page shows a shared conversation. It is entered and left by loading the page. */
export const isSharePage = (): boolean => window.location.pathname.startsWith('/share/');
