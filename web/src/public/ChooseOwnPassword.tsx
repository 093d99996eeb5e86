import { useState } from 'react';
import { call } from '../api/call.ts';
import type { DataOf } from '../api/operation-types.ts';
import { useMutationOf } from '../api/queries.ts';
import FirstPassword from '../session/FirstPassword.tsx';
import { storedSession } from '../session/stored-session.ts';

export type PendingSignIn =
  | { readonly as: 'admin'; readonly me: DataOf<'login'> }
  | { readonly as: 'student'; readonly me: DataOf<'studentLogin'> };

/** Asks for a new password here, because the person would have to type the issued one again in the app. */
export default function ChooseOwnPassword(entering: PendingSignIn) {
  const { as, me } = entering;
  const [isLeaving, setLeaving] = useState(false);
  const change = useMutationOf(as === 'admin' ? 'changeMyPassword' : 'changeStudentPassword', {
    onSuccess: () => location.assign(`/${as}`),
  });
  const leave = () => {
    storedSession[as].forget();
    location.reload();
  };
  const signOut = () => {
    setLeaving(true);
    void call(as === 'admin' ? 'logout' : 'studentLogout').then(leave, leave);
  };
  return (
    <FirstPassword
      as={as}
      isDialog
      username={me.username}
      name={entering.as === 'student' ? entering.me.actualName : null}
      own={entering.as === 'student' ? [entering.me.actualName, entering.me.schoolName] : []}
      change={change}
      signOut={{ run: signOut, isPending: isLeaving }}
    />
  );
}
