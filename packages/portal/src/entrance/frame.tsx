import type { ComponentChildren } from 'preact';
import { useEffect } from 'preact/hooks';
import mark from '../../../gateway/src/surfaces/reference/assets/mark.svg';
import { words } from '../texts/common.ts';
import { entranceTexts } from '../texts/entrance.ts';
import { Icon } from '../ui/index.ts';
import './entrance.css';

/** Two halves: the product's claim, and the form. */
export function EntranceFrame({ title, children }: { title: string; children: ComponentChildren }) {
  useEffect(() => {
    document.title = `${title} · ${words.product}`;
  }, [title]);
  return (
    <div class="entrance">
      <aside class="entrance-side">
        <div class="entrance-brand">
          <img src={mark} alt="" width="36" height="36" />
          {words.product}
        </div>
        <div class="entrance-words">
          <p class="entrance-promise">{entranceTexts.promise}</p>
          <ul>
            {entranceTexts.points.map((point) => (
              <li key={point}>
                <Icon name="check" />
                {point}
              </li>
            ))}
          </ul>
        </div>
      </aside>
      <main class="entrance-main">
        <div class="entrance-form">{children}</div>
      </main>
    </div>
  );
}
