import { type Fields, textIn } from '../fields.ts';
import { invalid } from '../graph-error.ts';

/** Where the file of a message is: uploaded before, or behind a link. */
export function fileIn(
  media: Fields,
  path: string,
  urlField: 'media_url' | 'sticker_url' = 'media_url',
): Record<string, string> {
  const id = textIn(media, 'id', `${path}['id']`);
  const link = textIn(media, 'link', `${path}['link']`);
  if ((id === undefined) === (link === undefined))
    throw invalid(`Param ${path} must have exactly one of id and link.`);
  return id === undefined ? { [urlField]: link ?? '' } : { media_id: id };
}
