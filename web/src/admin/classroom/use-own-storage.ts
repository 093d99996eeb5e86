import { useLocalStorage } from '@mantine/hooks';
import { useMe } from '../me.ts';

/** Stores a value of the signed-in person on this device. */
export function useOwnStorage<T>(name: string, defaultValue: T) {
  const key = `classledger.${name}.${useMe().id}`;
  return useLocalStorage<T>({ key, defaultValue, getInitialValueInEffect: false });
}
