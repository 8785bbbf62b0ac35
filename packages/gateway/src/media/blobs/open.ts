import { createFolderStore } from './folder.ts';
import type { MediaStore } from './port.ts';

/** `file:/folder` */
export function openMediaStore(url: string): MediaStore {
  return createFolderStore(url.slice('file:'.length));
}
