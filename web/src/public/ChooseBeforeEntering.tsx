import { useState } from 'react';
import { call } from '../api/call.ts';
import type { DataOf } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';
import { FirstPassword } from '../session/FirstPassword.tsx';
import { keptSession } from '../session/kept-session.ts';

/** Who signed in with a password that somebody else gave out, and where they want to go. */
export type Entering =
  | { readonly as: 'admin'; readonly me: DataOf<'login'> }
  | { readonly as: 'student'; readonly me: DataOf<'studentLogin'> };

/**
 * Has a password of their own chosen here, where the one that was given out has just been typed: the page behind would
 * ask for it again.
 */
export function ChooseBeforeEntering(entering: Entering) {
  const { as, me } = entering;
  const [isLeaving, setLeaving] = useState(false);
  const change = useMutationOf(as === 'admin' ? 'changeMyPassword' : 'changeStudentPassword', {
    onSuccess: () => location.assign(`/${as}`),
  });
  const leave = () => {
    keptSession[as].forget();
    location.reload();
  };
  const signOut = () => {
    setLeaving(true);
    void call(as === 'admin' ? 'logout' : 'studentLogout').then(leave, leave);
  };
  return (
    <FirstPassword
      as={as}
      isAbove
      username={me.username}
      name={entering.as === 'student' ? entering.me.actualName : null}
      own={entering.as === 'student' ? [entering.me.actualName, entering.me.schoolName] : []}
      change={change}
      signOut={{ run: signOut, isPending: isLeaving }}
    />
  );
}
