import { readS3Url } from '#config';
import type { Clock } from '#kernel';
import { createFolderStore } from './folder.ts';
import type { MediaStore } from './port.ts';
import { createS3Store } from './s3.ts';

/** `file:/folder` or `s3://…`, as the setting takes them. */
export function openMediaStore(url: string, machineClock: Pick<Clock, 'after'>): MediaStore {
  const bucket = readS3Url(url);
  return bucket ? createS3Store(bucket, machineClock) : createFolderStore(url.slice('file:'.length));
}
