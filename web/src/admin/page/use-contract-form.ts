import { type FieldBounds, formBounds } from 'virtual:form-contract';
import { type ChangeEvent, useState } from 'react';
import type { OperationId } from '../../api/operation-types.ts';
import { useForm } from '../../components/use-form.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';

export type FieldErrors<Values> = { readonly [K in keyof Values]?: string | false | undefined };

type TextEvent = ChangeEvent<HTMLInputElement | HTMLTextAreaElement>;

interface Field<Value> {
  readonly value: Value;
  readonly onChange: (next: Value | (string extends Value ? TextEvent : never)) => void;
  readonly error?: string;
  readonly maxLength?: number;
  readonly 'data-autofocus'?: true;
}

interface CheckboxField {
  readonly checked: boolean;
  readonly onChange: (event: ChangeEvent<HTMLInputElement>) => void;
}

type BooleanName<Values> = { [K in keyof Values]: Values[K] extends boolean ? K : never }[keyof Values];

export interface ContractForm<Values> {
  readonly values: Values;
  readonly set: (changed: Partial<Values>) => void;
  /** Returns the properties of an input: `<TextInput {...field('name')} />`. The first field gets the focus. */
  readonly field: <K extends keyof Values>(name: K) => Field<Values[K]>;
  /** Returns the properties of a switch or checkbox. */
  readonly checkbox: (name: BooleanName<Values>) => CheckboxField;
  readonly isDirty: boolean;
  readonly form: ReturnType<typeof useForm>['form'];
}

interface ContractFormOptions<Values> {
  /** The operation whose body gives required fields, lengths and trimming. */
  readonly bodyOf: OperationId;
  readonly values: Values;
  /** Returns errors of fields. Fields that it leaves out are checked by the contract only. */
  readonly check?: ((values: Values) => FieldErrors<Values>) | undefined;
  readonly onSubmit: (values: Values) => void;
}

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

const isEvent = (next: unknown): next is TextEvent =>
  typeof next === 'object' && next !== null && 'currentTarget' in next;

/** Holds the values of a form, which are named as in the body. Computes the errors anew at each render. */
export function useContractForm<Values extends object>(
  options: ContractFormOptions<Values>,
): ContractForm<Values> {
  const { bodyOf, check, onSubmit } = options;
  const c = useTexts(commonTexts);
  const [initial] = useState(options.values);
  const [values, setValues] = useState(initial);
  const names = Object.keys(initial) as (keyof Values)[];
  const boundsOf = (name: keyof Values): FieldBounds => formBounds[bodyOf]?.[String(name)] ?? {};
  const checked: FieldErrors<Values> = check?.(values) ?? {};
  const faultOf = (name: keyof Values) =>
    name in checked ? checked[name] : boundsOf(name).required && isBlank(values[name]) && c('required');
  const faults = Object.fromEntries(names.map((name) => [name, faultOf(name)]));
  const { form, shown } = useForm(faults, () => {
    const trimmed = names.flatMap((name) => {
      const value = values[name];
      return boundsOf(name).trim && typeof value === 'string' ? [[name, value.trim()]] : [];
    });
    onSubmit({ ...values, ...Object.fromEntries(trimmed) });
  });
  const set = (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed }));
  return {
    values,
    set,
    field: (name) => {
      const error = shown[String(name)];
      const { maxLength } = boundsOf(name);
      return {
        value: values[name],
        onChange: (next) => {
          const value = isEvent(next) ? next.currentTarget.value : next;
          setValues((before) => ({ ...before, [name]: value }));
        },
        ...(error && { error }),
        ...(maxLength !== undefined && { maxLength }),
        ...(name === names[0] && { 'data-autofocus': true }),
      };
    },
    checkbox: (name) => ({
      checked: values[name] === true,
      onChange: ({ currentTarget: { checked: next } }) =>
        setValues((before) => ({ ...before, [name]: next })),
    }),
    isDirty: names.some((name) => values[name] !== initial[name]),
    form,
  };
}
