export { referencePages } from './pages.ts';
