export { Bars } from './bars.tsx';
export type { Series } from './frame.tsx';
export { Lines } from './lines.tsx';
export { Meter, Ring } from './ring.tsx';
