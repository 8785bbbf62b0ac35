import { highlight, type Language } from '../highlight.ts';
import { type Child, type Html, html } from '../html.ts';

/** Code in a frame. The script adds a copy button. */
export function panel({ title, language, code }: { title: Child; language: Language; code: string }): Html {
  return html`<figure class="panel" data-copyable>
<figcaption>${title}</figcaption>
<pre><code>${highlight(language, code)}</code></pre>
</figure>`;
}

/** The same in several languages: one below the other, until the script makes tabs of them. */
export function panelTabs(label: string, panels: readonly Html[]): Html {
  return html`<div class="tabs" data-tabs="${label}">${panels}</div>`;
}

export function jsonPanel(title: Child, value: unknown): Html {
  return panel({ title, language: 'json', code: JSON.stringify(value, null, 2) });
}
