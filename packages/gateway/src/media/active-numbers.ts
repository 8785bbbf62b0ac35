import { fault } from '#kernel';
import type { MediaLibrary, MediaOwner } from './library.ts';

type HasActiveNumber = (owner: MediaOwner) => boolean | Promise<boolean>;

/** The library for callers who bring files: refuses those of an owner without an active number before a byte is read. */
export function keepForActiveNumbers(library: MediaLibrary, hasActiveNumber: HasActiveNumber): MediaLibrary {
  return {
    ...library,
    async keep(owner, file) {
      if (!(await hasActiveNumber(owner))) throw fault('device_not_active');
      return library.keep(owner, file);
    },
  };
}
