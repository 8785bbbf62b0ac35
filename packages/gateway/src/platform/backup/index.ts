export { backUp } from './backup.ts';
export type { Progress } from './copy-database.ts';
export { contextOfMarker, INSTALLATION, type Manifest } from './installation.ts';
export { checkBackup, giveUpRestore, restore } from './restore.ts';
