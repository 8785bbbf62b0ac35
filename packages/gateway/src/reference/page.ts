import { siteBar } from './bar.ts';
import { drawNavigation, drawSection, type Section } from './document.ts';
import { html } from './html.ts';
import { eventsSection } from './sections/events.ts';
import { introductionSection } from './sections/introduction.ts';
import { operationSections } from './sections/operations.ts';
import { type AssetUrl, shell } from './shell.ts';

/** The whole reference as one page. */
export function referencePage({
  baseUrl,
  version,
  assetUrl,
}: {
  baseUrl: string;
  version: string;
  assetUrl: AssetUrl;
}): string {
  const sections: Section[] = [
    introductionSection(baseUrl),
    ...operationSections(['v1'], baseUrl),
    eventsSection(),
    ...operationSections(['operator', 'public'], baseUrl),
  ];
  return shell({
    title: 'Parley API reference',
    description: 'Every request, answer, error and event of the Parley API.',
    assetUrl,
    styles: ['reference.css'],
    bar: siteBar({ assetUrl, version, here: 'reference' }),
    navigation: drawNavigation(sections),
    content: html`<h1 class="unseen">Parley API reference</h1>
${sections.map(drawSection)}`,
  }).toString();
}
