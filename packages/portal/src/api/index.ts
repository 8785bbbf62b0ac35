export { type Answer, type CallId, call, type InputOf, watchRefusals } from './client.ts';
export { type Action, type Resource, useAction, useLive, useResource } from './hooks.ts';
export { type LiveEvent, type LiveState, listen, liveState } from './live.ts';
export { type PagedList, usePages } from './pages.ts';
export { asProblem, Problem } from './problem.ts';
