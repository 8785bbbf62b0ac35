import { type Child, type Html, html } from '../html.ts';

export function table(head: readonly string[], rows: readonly (readonly Child[])[]): Html {
  return html`<div class="table"><table>
<thead><tr>${head.map((cell) => html`<th scope="col">${cell}</th>`)}</tr></thead>
<tbody>${rows.map(
    (row) => html`<tr>${row.map((cell) => html`<td>${cell}</td>`)}</tr>
`,
  )}</tbody>
</table></div>`;
}
