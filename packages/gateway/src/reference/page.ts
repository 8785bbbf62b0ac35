import { drawNavigation, drawSection, type Section } from './document.ts';
import { html } from './html.ts';
import { eventsSection } from './sections/events.ts';
import { introductionSection } from './sections/introduction.ts';
import { operationSections } from './sections/operations.ts';
import { shell } from './shell.ts';

/** The whole reference as one page. */
export function referencePage({
  baseUrl,
  version,
  assetUrl,
}: {
  baseUrl: string;
  version: string;
  assetUrl: (file: string) => string;
}): string {
  const sections: Section[] = [
    introductionSection(baseUrl),
    ...operationSections(['v1'], baseUrl),
    eventsSection,
    ...operationSections(['operator', 'public'], baseUrl),
  ];
  return shell({
    title: 'Parley API reference',
    description: 'Every request, answer, error and event of the Parley API.',
    assetUrl,
    bar: html`<a class="brand" href="#introduction"><img src="${assetUrl('mark.svg')}" alt="" width="24" height="24">Parley</a>
<span class="version">API reference ${version}</span>
<a class="bar-link" href="/openapi.json">OpenAPI</a>`,
    navigation: drawNavigation(sections),
    content: html`<h1 class="unseen">Parley API reference</h1>
${sections.map(drawSection)}`,
  }).toString();
}
