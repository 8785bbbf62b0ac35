import { type Guide, readGuide } from './contents.ts';
import { linksFrom } from './links.ts';
import { type DrawnGuide, drawGuide } from './markdown.ts';

/** Everything that draws guides, behind one door that is opened late: a gateway whose guides nobody reads never loads it. */
export { guidePage } from './guide-page.ts';
export { searchIndex } from './search-index.ts';

export function drawGuideFile({ file }: Guide, pages: ReadonlySet<string>): DrawnGuide {
  return drawGuide(readGuide(file), linksFrom(file, pages));
}
