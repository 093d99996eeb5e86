import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';

/** What is wrong with each field of a form; nothing where it is well. */
type Faults<Field extends string> = Readonly<Record<Field, string | false | undefined>>;

interface Form<Field extends string> {
  /** For the `<form>`. */
  readonly form: {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    readonly noValidate: true;
  };
  /** Sends what is typed, or shows what is wrong with it; for a dialog that has a form of its own. */
  readonly submit: () => void;
  /** What is to be shown beside the fields. */
  readonly shown: Partial<Faults<Field>>;
  /** Whether someone has tried to send it. */
  readonly tried: boolean;
  /** As if no one had tried yet. */
  readonly restart: () => void;
}

/**
 * A form that says what is wrong with it from the moment on when someone tries to send it, and takes the person to the
 * first fault, which a long form may have out of sight: inputs with an error, and whatever has `data-fault` and can be
 * focused.
 *
 * @param faults of what is typed now
 * @param send called when there are none
 */
export function useForm<Field extends string>(faults: Faults<Field>, send: () => void): Form<Field> {
  const [tried, setTried] = useState(false);
  const isWell = !Object.values(faults).some(Boolean);
  const submit = () => {
    flushSync(() => setTried(true));
    if (isWell) send();
  };
  return {
    form: {
      onSubmit: (event) => {
        const form = event.currentTarget;
        event.preventDefault();
        submit();
        if (!isWell) form.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
      },
      noValidate: true,
    },
    submit,
    shown: tried ? faults : {},
    tried,
    restart: () => setTried(false),
  };
}
