import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';

type Faults<Field extends string> = Readonly<Record<Field, string | false | undefined>>;

interface Form<Field extends string> {
  readonly form: {
    readonly onSubmit: (event: FormEvent<HTMLFormElement>) => void;
    readonly noValidate: true;
  };
  readonly submit: () => void;
  readonly shown: Partial<Faults<Field>>;
  readonly tried: boolean;
  readonly restart: () => void;
}

/** Shows errors after the first attempt to send, and focuses the first invalid input or `data-fault` element. */
export function useForm<Field extends string>(faults: Faults<Field>, send: () => void): Form<Field> {
  const [tried, setTried] = useState(false);
  const isValid = !Object.values(faults).some(Boolean);
  const submit = () => {
    flushSync(() => setTried(true));
    if (isValid) send();
  };
  return {
    form: {
      onSubmit: (event) => {
        const form = event.currentTarget;
        event.preventDefault();
        submit();
        if (!isValid) form.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
      },
      noValidate: true,
    },
    submit,
    shown: tried ? faults : {},
    tried,
    restart: () => setTried(false),
  };
}
