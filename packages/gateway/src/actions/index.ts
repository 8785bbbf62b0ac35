export { createFileLender, type FileLender } from './lend-files.ts';
export { refusalOf } from './refusal-of.ts';
export { serveAction } from './serve-action.ts';
