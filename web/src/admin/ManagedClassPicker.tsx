import type { ComponentProps } from 'react';
import { ClassPicker } from '../components/StructurePickers.tsx';
import { useManages } from './me.ts';

/** Offers the classes that the administrator manages, without those that they only teach. */
export function ManagedClassPicker(props: ComponentProps<typeof ClassPicker>) {
  return <ClassPicker {...props} isOffered={useManages()} />;
}
