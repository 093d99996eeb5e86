import { flushSync } from 'react-dom';

/**
 * Lets a form say what is wrong with it and takes the person to the first fault, which a long form may have out of
 * sight. Marked as one: inputs with an error, and whatever has `data-fault` and can be focused.
 *
 * @param say makes the faults visible, for example `() => setTried(true)`
 */
export function showFaults(form: HTMLFormElement, say: () => void): void {
  flushSync(say);
  form.querySelector<HTMLElement>('[aria-invalid="true"], [data-fault]')?.focus();
}
