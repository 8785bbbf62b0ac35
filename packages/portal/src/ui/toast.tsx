import { signal } from '@preact/signals';
import { after } from '../kernel/clock.ts';
import { Icon } from './icon.tsx';
import './toast.css';

interface ToastEntry {
  readonly id: number;
  readonly text: string;
}

const SHOWN_MS = 5_000;
const toasts = signal<readonly ToastEntry[]>([]);
let count = 0;

/** Short confirmation. Failures are shown where they happened. */
export function toast(text: string): void {
  count += 1;
  const id = count;
  toasts.value = [...toasts.value, { id, text }];
  after(SHOWN_MS, () => {
    toasts.value = toasts.value.filter((each) => each.id !== id);
  });
}

export function Toasts() {
  return (
    <div class="toasts" role="status" aria-live="polite">
      {toasts.value.map(({ id, text }) => (
        <p key={id} class="toast">
          <Icon name="check" />
          {text}
        </p>
      ))}
    </div>
  );
}
