import type { JsonSchema } from 'virtual:send-kinds';
import { testSendTexts } from '../../texts/test-send.ts';
import { Button, SelectField } from '../../ui/index.ts';
import {
  blankOf,
  fieldsOf,
  isValues,
  labelOf,
  shapeName,
  type Value,
  type Values,
  variantOf,
} from './form.ts';
import { LeafField, proseOf } from './leaf-field.tsx';

interface SchemaFieldProps {
  name: string;
  label?: string;
  schema: JsonSchema;
  isRequired: boolean;
  value: Value | undefined;
  /** The gateway's refusal. */
  error?: string | undefined;
  onChange: (value: Value) => void;
}

/** Fields for a schema: one control, a group or a list. */
export function SchemaField(props: SchemaFieldProps) {
  const { name, schema, isRequired, value, error, onChange } = props;
  const label = props.label ?? labelOf(name);
  if (schema.type === 'array') return <ListField {...props} label={label} />;
  if (schema.type === 'object' && isValues(value)) {
    return <ObjectFields schema={schema} values={value} onChange={onChange} />;
  }
  return (
    <LeafField
      label={label}
      schema={schema}
      isRequired={isRequired}
      value={value}
      error={error}
      onChange={onChange}
    />
  );
}

/** Fields of a group. */
function ObjectFields({
  schema,
  values,
  onChange,
}: {
  schema: JsonSchema;
  values: Values;
  onChange: (value: Value) => void;
}) {
  return (
    <>
      {fieldsOf(schema).map((field) => (
        <SchemaField
          key={field.name}
          {...field}
          value={values[field.name]}
          onChange={(value) => onChange({ ...values, [field.name]: value })}
        />
      ))}
    </>
  );
}

/** List whose items have one schema or one of several. */
function ListField({ name, label = name, schema, value, error, onChange }: SchemaFieldProps) {
  const items: readonly Value[] = Array.isArray(value) ? value : [];
  const of = schema.items ?? {};
  const put = (place: number, item: Value): void => onChange(items.with(place, item));
  return (
    <fieldset class="list-field">
      <legend class="field-label">{label}</legend>
      {schema.description && <p class="field-note">{proseOf(schema.description)}</p>}
      {items.map((item, place) => {
        const shape = variantOf(of, item);
        const title = testSendTexts.item(place + 1);
        return (
          // Items have no id; their index is their key.
          <div class={shape.type === 'object' ? 'list-item list-item-group' : 'list-item'} key={place}>
            <div class="stack">
              {of.anyOf && (
                <SelectField
                  label={testSendTexts.variant}
                  hint={shape.description && proseOf(shape.description)}
                  value={shapeName(shape)}
                  choices={of.anyOf.map((each) => ({ value: shapeName(each), label: shapeName(each) }))}
                  onChange={(chosen) =>
                    put(place, blankOf(of.anyOf?.find((each) => shapeName(each) === chosen) ?? {}))
                  }
                />
              )}
              <SchemaField
                name={name}
                label={title}
                schema={shape}
                isRequired
                value={item}
                onChange={(next) => put(place, next)}
              />
            </div>
            {items.length > (schema.minItems ?? 0) && (
              <Button
                look="quiet"
                small
                icon="cross"
                label={testSendTexts.removeItem(place + 1)}
                onClick={() => onChange(items.toSpliced(place, 1))}
              />
            )}
          </div>
        );
      })}
      {error && <p class="field-note field-error">{error}</p>}
      {items.length < (schema.maxItems ?? Number.POSITIVE_INFINITY) && (
        <span>
          <Button small icon="plus" onClick={() => onChange([...items, blankOf(of)])}>
            {testSendTexts.add}
          </Button>
        </span>
      )}
    </fieldset>
  );
}
