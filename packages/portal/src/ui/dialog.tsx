import type { ComponentChildren } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useAction } from '../api/index.ts';
import { words } from '../texts/common.ts';
import { Button, type ButtonLook } from './button.tsx';
import './dialog.css';
import { ErrorNote } from './error-note.tsx';
import { Form } from './form.tsx';
import { unbroken } from './format.ts';

/** Escape asks the dialog to close, whatever has the focus; older browsers ask by an event only. */
const KEPT = { closedby: 'none' as const, onCancel: (event: Event) => event.preventDefault() };

/** A native dialog: it keeps the focus inside, closes with Escape, and gives the focus back. Rendered only while it is open. */
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
  /** Shows what can be seen only now: neither Escape nor a cross closes it, only its own button. */
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
        <h2 id={id}>{unbroken(title)}</h2>
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

/** The buttons at the foot of a dialog or a form. */
export function Actions({ children }: { children: ComponentChildren }) {
  return <div class="actions">{children}</div>;
}

/** Asks before something happens that cannot be taken back. */
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

/** Asks for something. It closes by itself once what was entered has been taken, and stays open with the reason when it was not. */
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
  /** Something is missing before it can be submitted. */
  disabled?: boolean;
  /** Stands before the fields. */
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
