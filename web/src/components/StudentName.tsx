import { Text } from '@mantine/core';
import { type NamedStudent, useShownName, useStudentNames } from './student-names.ts';

/** Adds the student number when another shown student has the same name. */
export function StudentName({ of }: { readonly of: NamedStudent }) {
  const number = useStudentNames().numberOf(of);
  const name = useShownName()(of);
  if (number === null) return name;
  return (
    <>
      {name}{' '}
      <Text span fz="max(0.6875rem, 0.8em)" lh="inherit" fw={400} c="dimmed">
        {number}
      </Text>
    </>
  );
}
