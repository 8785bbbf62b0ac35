export { backUp } from './backup.ts';
export type { BackupOptions, Progress } from './copy-database.ts';
export { SafekeepingError } from './errors.ts';
export { contextOfMarker, INSTALLATION } from './installation.ts';
export type { Manifest } from './manifest.ts';
export { checkBackup, giveUpRestore, restore } from './restore.ts';
