import { configure } from '../../node_modules/.cache/tanya/web-packages/testing-library-react.mjs';

// Its own bound is one second, which a loaded machine exceeds.
configure({ asyncUtilTimeout: 30_000 });

export * from '../../node_modules/.cache/tanya/web-packages/testing-library-react.mjs';
