import type { JsonSchema } from 'virtual:send-kinds';
import type { ComponentChildren } from 'preact';
import { testSendTexts } from '../../texts/test-send.ts';
import { CheckField, SelectField, TextField } from '../../ui/index.ts';
import type { Value } from './form.ts';

/** Longer texts get several lines. */
const LINE_MAX = 300;

/** Single control: checkbox, select or text. */
export function LeafField({
  label,
  schema,
  isRequired,
  value,
  error,
  onChange,
}: {
  label: string;
  schema: JsonSchema;
  isRequired: boolean;
  value: Value | undefined;
  error: string | undefined;
  onChange: (value: Value) => void;
}) {
  if (schema.type === 'boolean') {
    const hint = schema.description?.replaceAll('`', '');
    return <CheckField label={label} hint={hint} checked={value === true} onChange={onChange} />;
  }
  const hint = schema.description && proseOf(schema.description);
  const common = { label, hint, error, optional: !isRequired, value: typeof value === 'string' ? value : '' };
  if (schema.enum) {
    const choices = schema.enum.map((each) => ({ value: each, label: each }));
    const none = { value: '', label: testSendTexts.choose };
    return <SelectField {...common} choices={[none, ...choices]} onChange={onChange} />;
  }
  return (
    <TextField
      {...common}
      autocomplete="off"
      placeholder={schema.examples?.[0] === undefined ? undefined : String(schema.examples[0])}
      maxLength={schema.maxLength}
      rows={(schema.maxLength ?? 0) > LINE_MAX && !schema.pattern ? 3 : undefined}
      onInput={onChange}
    />
  );
}

/** Renders a description of the contract, in which backticks mark code. */
export function proseOf(text: string): ComponentChildren {
  return text.split('`').map((part, index) => (index % 2 === 1 ? <code key={part}>{part}</code> : part));
}
