export { type Answer, call, type InputOf, isServed, watchChanges, watchRefusals } from './client.ts';
export { type GrowingList, useGrowingList } from './growing.ts';
export { type Action, type Resource, useAction, useLive, useResource } from './hooks.ts';
export { type LiveEvent, type LiveState, liveState } from './live.ts';
export { usePages } from './pages.ts';
export { asProblem, Problem, unlessProblem } from './problem.ts';
export { joinTabs } from './tabs.ts';
export { wholeList } from './whole-list.ts';
