import classes from './StudentName.module.css';
import { type NamedStudent, useShownName, useStudentNames } from './student-names.ts';

/** Adds the student number when another shown student has the same name. */
export function StudentName({ of }: { readonly of: NamedStudent }) {
  const number = useStudentNames().numberOf(of);
  const name = useShownName()(of);
  if (number === null) return name;
  return (
    <>
      {name} <span className={classes.number}>{number}</span>
    </>
  );
}
