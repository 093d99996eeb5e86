import classes from './StudentName.module.css';
import { type Named, useStudentNames } from './student-names.ts';

/** A student's name; where another one shown has the same, the student number stands small behind it. */
export function StudentName({ of }: { readonly of: Named }) {
  const number = useStudentNames().numberOf(of);
  if (number === null) return of.actualName;
  return (
    <>
      {of.actualName} <span className={classes.number}>{number}</span>
    </>
  );
}
