import { type FieldBounds, formBounds } from 'virtual:form-contract';
import { Modal, Stack } from '@mantine/core';
import { type ChangeEvent, type ReactNode, useCallback, useLayoutEffect, useRef, useState } from 'react';
import type { OperationId } from '../../api/operation-types.ts';
import type { DialogProps } from '../../components/ConfirmDialog.tsx';
import { FormFooter } from '../../components/FormFooter.tsx';
import type { FailureSentences } from '../../components/failure-text.ts';
import { UnsavedChangesGuard } from '../../components/UnsavedChangesGuard.tsx';
import { useForm } from '../../components/use-form.ts';
import { useIsPhone } from '../../components/use-is-phone.ts';
import { commonTexts } from '../../i18n/common-texts.ts';
import { useTexts } from '../../i18n/texts.ts';
import { texts } from './texts.ts';
import { useRunWrite, type Write } from './write.ts';

interface FormDialogProps<Values> extends DialogProps {
  readonly title: string;
  /** The operation whose body gives required fields, lengths and trimming. */
  readonly bodyOf: OperationId;
  readonly values: Values;
  /** Returns errors of fields. Fields that it leaves out are checked by the contract only. */
  readonly check?: (values: Values) => FieldErrors<Values>;
  /** Returns null if nothing has to be saved; the dialog then closes. */
  readonly save: (values: Values) => Write | null;
  readonly submitLabel: string | ((values: Values) => string);
  readonly sentences?: FailureSentences;
  /** Asks before typed values get lost. */
  readonly guarded?: boolean;
  /** Fills the screen of a phone, and keeps the buttons visible. */
  readonly long?: boolean;
  readonly size?: number | string;
  readonly disabled?: boolean;
  readonly children: (form: OpenForm<Values>) => ReactNode;
}

interface OpenForm<Values> extends ContractForm<Values> {
  /** Call it with true while something above the dialog is open, so that Escape does not close the dialog. */
  readonly setOverlayOpen: (isOpen: boolean) => void;
}

/** Shows a form that makes one change. A click outside does not close it. Needs a new instance for each opening. */
export function FormDialog<Values extends object>(props: FormDialogProps<Values>) {
  const { opened, onClose, title, save, submitLabel, sentences, children } = props;
  const { guarded = false, long = false, size = 'md', disabled = false } = props;
  const t = useTexts(texts);
  const onPhone = useIsPhone();
  const [asking, setAsking] = useState(false);
  const [isOverlayOpen, setOverlayOpen] = useState(false);
  // A ref, because Escape may follow the first letter before the dialog listens with its new state.
  const isDirtyNow = useRef(false);
  const leave = () => {
    setAsking(false);
    isDirtyNow.current = false;
    onClose();
  };
  const attempt = useRunWrite({ onDone: leave });
  const form = useContractForm(props, (values) => {
    const change = save(values);
    if (change) attempt.run(change);
    else leave();
  });
  useLayoutEffect(() => {
    isDirtyNow.current = form.isDirty;
  }, [form.isDirty]);
  const close = () => {
    // Delayed, because a dialog opened during the key press would receive the same Escape and close.
    if (guarded && isDirtyNow.current) setTimeout(() => setAsking(true));
    else onClose();
  };
  return (
    <>
      <Modal
        opened={opened}
        onClose={close}
        title={title}
        size={size}
        fullScreen={long && onPhone}
        closeOnClickOutside={false}
        closeOnEscape={!asking && !isOverlayOpen}
      >
        <form {...form.form}>
          <Stack>
            {children({ ...form, setOverlayOpen })}
            <FormFooter
              attempt={attempt}
              sentences={sentences}
              onCancel={close}
              submitLabel={typeof submitLabel === 'string' ? submitLabel : submitLabel(form.values)}
              disabled={disabled}
              sticky={long}
            />
          </Stack>
        </form>
      </Modal>
      {guarded && (
        <UnsavedChangesGuard
          active={opened && form.isDirty}
          title={t('discardTitle')}
          text={t('discardText')}
          confirmLabel={t('discard')}
          closing={{ isAsked: asking, onStay: () => setAsking(false), onLeave: leave }}
        />
      )}
    </>
  );
}

type FieldErrors<Values> = { readonly [K in keyof Values]?: string | false | undefined };

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

const isBlank = (value: unknown) => value === null || (typeof value === 'string' && value.trim() === '');

const isEvent = (next: unknown): next is TextEvent =>
  typeof next === 'object' && next !== null && 'currentTarget' in next;

/** Holds the values of a form, which are named as in the body. Computes the errors anew at each render. */
export function useContractForm<Values extends object>(
  { bodyOf, values: given, check }: Pick<FormDialogProps<Values>, 'bodyOf' | 'values' | 'check'>,
  onSubmit: (values: Values) => void,
): ContractForm<Values> {
  const c = useTexts(commonTexts);
  const [initial] = useState(given);
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
  const set = useCallback(
    (changed: Partial<Values>) => setValues((before) => ({ ...before, ...changed })),
    [],
  );
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
