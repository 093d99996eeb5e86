import { type FormEvent, useState } from 'react';
import { flushSync } from 'react-dom';

type Faults<Field extends string> = Readonly<Record<Field, string | false | undefined>>;

/** Shows errors after the first attempt to send, and focuses the first invalid input or `data-fault` element. */
export function useForm<Field extends string>(faults: Faults<Field>, send: () => void) {
  const [tried, setTried] = useState(false);
  const isValid = !Object.values(faults).some(Boolean);
  const shown: Partial<Faults<Field>> = tried ? faults : {};
  const submit = () => {
    flushSync(() => setTried(true));
    if (isValid) send();
  };
  return {
    form: {
      onSubmit: (event: FormEvent<HTMLFormElement>) => {
        const form = event.currentTarget;
        event.preventDefault();
        submit();
        if (!isValid) form.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
      },
      noValidate: true,
    },
    submit,
    shown,
    restart: () => setTried(false),
  };
}
