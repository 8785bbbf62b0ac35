export { backUp } from './backup.ts';
export type { Progress } from './copy-database.ts';
export { contextOfMarker, INSTALLATION } from './installation.ts';
export type { Manifest } from './manifest.ts';
export { checkBackup, giveUpRestore, restore } from './restore.ts';
