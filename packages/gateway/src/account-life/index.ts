export type { LifeContext } from './context.ts';
export { askForDeletion, cancelDeletion, deletionOf } from './deletion/ask.ts';
export { type EraseContext, startErasing } from './deletion/erase.ts';
export {
  askForExport,
  downloadExport,
  type ExportContext,
  listExports,
  startExports,
} from './export/export.ts';
export { refuseUnlessOwners, removeNumber, startRemovals } from './numbers/remove.ts';
export { accountLifeRoutes } from './routes.ts';
