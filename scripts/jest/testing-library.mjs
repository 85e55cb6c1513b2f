import { configure } from '../../node_modules/@testing-library/react/dist/index.js';

// Its own bound is one second, which a loaded machine exceeds.
configure({ asyncUtilTimeout: 30_000 });

export * from '../../node_modules/@testing-library/react/dist/index.js';
