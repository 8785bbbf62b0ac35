export type { LifeContext } from './context.ts';
export { askForDeletion, cancelDeletion, deletionOf, startErasing } from './deletion.ts';
export {
  askForExport,
  downloadExport,
  type ExportContext,
  listExports,
  startExports,
} from './export/export.ts';
export { refuseUnlessOwners, removeNumber, startRemovals } from './remove-number.ts';
export { accountLifeRoutes } from './routes.ts';
