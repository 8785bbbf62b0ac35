import type { ComponentChildren } from 'preact';
import { type Action, useAction } from '../api/index.ts';
import { inBackground } from '../kernel/background.ts';
import { Button, Form } from '../ui/index.ts';

/** Form with a heading, fields and one button. */
export function EntranceForm({
  title,
  lead,
  submit,
  work,
  children,
}: {
  title: string;
  lead: string;
  submit: string;
  work: () => Promise<void>;
  children: ComponentChildren;
}) {
  const { run, busy, problem }: Action<[]> = useAction(work);
  return (
    <Form
      problem={problem.value}
      onSubmit={() => inBackground(run())}
      foot={
        <Button type="submit" look="primary" busy={busy.value}>
          {submit}
        </Button>
      }
    >
      <header>
        <h1>{title}</h1>
        <p class="quiet">{lead}</p>
      </header>
      {children}
    </Form>
  );
}
