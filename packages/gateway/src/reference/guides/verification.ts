import { panel } from '../components/panel.ts';
import type { Html } from '../html.ts';
import { hasGuides, readGuide } from './contents.ts';
import { languageOf } from './languages.ts';

/** How a receiver verifies a webhook, in every language that the guide has it in: the reference shows the same code, which a test runs. */
export function verificationPanels(): Html[] {
  if (!hasGuides()) return [];
  return [...readGuide('webhooks.md').matchAll(/^```(\w+) tab\n([\s\S]*?)\n```$/gm)].map(
    ([, fence = '', code = '']) => panel({ ...languageOf(fence), code }),
  );
}
