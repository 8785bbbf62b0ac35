import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../api/index.ts';
import { words } from '../texts/common.ts';
import { Button, type ButtonLook } from './button.tsx';
import './dialog.css';
import { ErrorNote } from './error-note.tsx';
import { Form } from './form.tsx';
import { withoutBreaks } from './format.ts';

/** Ignores Escape; older browsers know only the event. */
const KEPT = { closedby: 'none' as const, onCancel: (event: Event) => event.preventDefault() };

/** Native dialog: traps the focus, closes with Escape and restores the focus. Rendered only while open. */
export function Dialog({
  title,
  onClose,
  wide,
  keeps,
  children,
}: {
  title: string;
  onClose: () => void;
  wide?: boolean;
  /** Shows something that is visible once: only its own button closes it. */
  keeps?: boolean;
  children: ComponentChildren;
}) {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  useEffect(() => {
    const before = document.activeElement;
    dialog.current?.showModal();
    return () => {
      if (before instanceof HTMLElement) before.focus();
    };
  }, []);
  return (
    <dialog
      ref={dialog}
      class={wide ? 'dialog dialog-wide' : 'dialog'}
      aria-labelledby={id}
      onClose={onClose}
      {...(keeps && KEPT)}
    >
      <header class="dialog-head">
        <h2 id={id}>{withoutBreaks(title)}</h2>
        {!keeps && (
          <Button
            look="quiet"
            small
            icon="cross"
            label={words.close}
            onClick={() => dialog.current?.close()}
          />
        )}
      </header>
      <div class="dialog-body stack">{children}</div>
    </dialog>
  );
}

/** Buttons at the foot of a dialog or form. */
export function Actions({ children }: { children: ComponentChildren }) {
  return <div class="actions">{children}</div>;
}

/** Asks for confirmation of an irreversible action. */
export function ConfirmDialog({
  title,
  text,
  confirm,
  look = 'danger',
  onConfirm,
  onClose,
}: {
  title: string;
  text: ComponentChildren;
  confirm: string;
  look?: ButtonLook;
  onConfirm: () => Promise<void>;
  onClose: () => void;
}) {
  const { run, busy, problem } = useAction(onConfirm);
  return (
    <Dialog title={title} onClose={onClose}>
      <div>{text}</div>
      {problem.value && <ErrorNote problem={problem.value} />}
      <Actions>
        <Button onClick={onClose}>{words.cancel}</Button>
        <Button look={look} busy={busy.value} onClick={async () => (await run()) && onClose()}>
          {confirm}
        </Button>
      </Actions>
    </Dialog>
  );
}

/** Dialog with a form. Closes when the input is accepted; otherwise stays open and shows the reason. */
export function FormDialog({
  title,
  submit,
  look = 'primary',
  disabled,
  lead,
  onSubmit,
  onClose,
  children,
}: {
  title: string;
  submit: string;
  look?: ButtonLook;
  /** Disables submitting while input is missing. */
  disabled?: boolean;
  /** Text before the fields. */
  lead?: ComponentChildren;
  onSubmit: () => Promise<void>;
  onClose: () => void;
  children: ComponentChildren;
}) {
  const { run, busy, problem } = useAction(onSubmit);
  return (
    <Dialog title={title} onClose={onClose}>
      {lead}
      <Form
        problem={problem.value}
        onSubmit={async () => {
          if (await run()) onClose();
        }}
        foot={
          <Actions>
            <Button onClick={onClose}>{words.cancel}</Button>
            <Button type="submit" look={look} busy={busy.value} disabled={disabled}>
              {submit}
            </Button>
          </Actions>
        }
      >
        {children}
      </Form>
    </Dialog>
  );
}
