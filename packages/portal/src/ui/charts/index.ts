export { type Bar, Bars } from './bars.tsx';
export type { Series, SeriesTone } from './frame.tsx';
export { Lines } from './lines.tsx';
export { Meter, Ring } from './ring.tsx';
