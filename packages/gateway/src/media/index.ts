export { createMediaAccess, type GivenFile, type MediaAccess } from './access.ts';
export { openMediaStore } from './blobs/open.ts';
export { createMediaLibrary, type MediaLibrary } from './library.ts';
export { mediaRoutes } from './routes.ts';
export { startMediaRetention, startOrphanSweep } from './sweep.ts';
export { createUploads } from './upload.ts';
