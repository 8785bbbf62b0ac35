export type { ActionContext } from './context.ts';
export { createFileLender, type FileLender } from './lend-files.ts';
export { refusalOf } from './refusal-of.ts';
export { createActionServer } from './serve-action.ts';
