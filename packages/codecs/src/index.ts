export { type Codecs, createCodecs } from './codecs.ts';
export { CodecError, type FileKind, type FileTraits } from './job.ts';
export { readPictureHeader } from './pictures/header.ts';
