import Type, { type Static } from 'typebox';
import {
  anyText,
  ClassId,
  CreatedAt,
  Id,
  Input,
  is,
  LoginName,
  Name,
  Nullable,
  OneOf,
  ShownName,
  Text,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';

const tag = 'Sign-in providers';
const manageSignIn = { tag, access: 'admin', duty: 'manageSignIn', school: 'required' } as const;

export const signInProviderKinds = ['oidc'] as const;
export const studentAttributes = ['username', 'email'] as const;
export const signInAudiences = ['administrators', 'students'] as const;

export const providerFindings = [
  'ok',
  'unreachable',
  'noDiscovery',
  'otherIssuer',
  'insecureAddress',
  'noCodeFlow',
  'noProofKey',
  'noSignature',
  'keysMissing',
  'clientRejected',
] as const;

const descriptions = {
  name: 'Stands on the button of the sign-in page.',
  issuer: 'The address that the provider calls itself by.',
  clientId: 'Who this installation is to the provider.',
  scopes: 'What is asked for, separated by spaces.',
  claim: 'What the provider says that an account is found by.',
} as const;

const words = {
  kind: is(OneOf(signInProviderKinds), 'What the provider speaks.'),
  name: is(ShownName, descriptions.name),
  issuer: is(Text, descriptions.issuer),
  clientId: is(Text, descriptions.clientId),
  scopes: is(Text, descriptions.scopes),
  forAdministrators: is(Type.Boolean(), 'Administrators of the school sign in there.'),
  forStudents: is(Type.Boolean(), 'Students of the school sign in there.'),
  claim: is(Text, descriptions.claim),
  studentAttribute: is(
    OneOf(studentAttributes),
    'What it is compared with at students; at administrators it is the username.',
  ),
  createStudentsIn: is(
    Nullable(ClassId),
    'Students without an account are created in this class; null: not.',
  ),
  enabled: is(Type.Boolean(), 'Whether it stands on the sign-in page and signs in.'),
};

export const SignInProvider = Type.Object(
  {
    id: Id,
    ...words,
    boundAccounts: is(Type.Integer({ minimum: 0 }), 'How many accounts have signed in there.'),
    createdAt: CreatedAt,
  },
  { title: 'SignInProvider' },
);
export type SignInProvider = Static<typeof SignInProvider>;

const Issuer = Type.String({
  minLength: 1,
  maxLength: limits.issuerLengthMax,
  pattern: '^https?://[^\\s?#@]+$',
  'x-characters': 'An address with https, without query and fragment.',
  'x-trim': true,
  description: descriptions.issuer,
  examples: ['https://id.riverside.example/realms/school'],
});
const clientText = {
  minLength: 1,
  maxLength: limits.clientTextLengthMax,
  pattern: '^[\\x21-\\x7e]+$',
  'x-characters': 'Visible ASCII characters, no spaces.',
  'x-trim': true,
};
const ClientId = Type.String({ ...clientText, description: descriptions.clientId });
const ClientSecret = Type.String({
  ...clientText,
  description: 'What proves it. It is sealed and never shown again.',
});
const Scopes = Type.String({
  minLength: 1,
  maxLength: limits.clientTextLengthMax,
  pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$',
  'x-characters': 'Words of visible ASCII characters, separated by single spaces.',
  'x-trim': true,
  description: `${descriptions.scopes} \`openid\` is always asked for.`,
});
const Claim = Type.String({
  minLength: 1,
  maxLength: limits.claimLengthMax,
  ...anyText,
  'x-trim': true,
  description: descriptions.claim,
});

/** Absent fields get a default on creation and stay unchanged on update. */
const settings = {
  scopes: Type.Optional(Scopes),
  forAdministrators: Type.Optional(words.forAdministrators),
  forStudents: Type.Optional(words.forStudents),
  claim: Type.Optional(Claim),
  studentAttribute: Type.Optional(words.studentAttribute),
  createStudentsIn: Type.Optional(words.createStudentsIn),
  enabled: Type.Optional(words.enabled),
};

export const listSignInChoices = internal({
  id: 'listSignInChoices',
  method: 'GET',
  path: '/auth/providers',
  tag,
  summary: 'List where people sign in beside the password',
  description:
    'For the sign-in pages. A school that does not exist has none. To sign in, a browser opens `/api/auth/sso/:id/start` with `for` and `schoolDb`.',
  access: 'public',
  shows: ['signInProvider', 'school'],
  query: Type.Object({
    for: is(OneOf(signInAudiences), 'Who wants to sign in.'),
    schoolDb: Type.Optional(
      Type.String({
        maxLength: 100,
        ...anyText,
        description:
          'Code of the school. Without it: the one school that has providers, if it is the only one.',
      }),
    ),
  }),
  data: Type.Object({
    providers: is(
      Type.Array(
        Type.Object({
          id: Id,
          name: words.name,
          schoolDb: is(Text, 'Code of the school.'),
        }),
      ),
      'The providers of the school.',
    ),
    askForSchool: is(Type.Boolean(), 'Several schools have providers: name one.'),
    localSignIn: is(Type.Boolean(), 'Whether the school lets its people sign in with a password too.'),
  }),
});

export const listSignInProviders = internal({
  id: 'listSignInProviders',
  method: 'GET',
  path: '/sign-in-providers',
  ...manageSignIn,
  summary: 'List the sign-in providers of a school',
  shows: ['signInProvider', 'class'],
  query: Type.Object({ ...internalPaging }),
  data: Type.Array(SignInProvider),
});

const nameTaken = 'The name is taken in the school.';
const lastProviderRefused =
  'Local sign-in is off and this is the last enabled provider for those whom it is off for: switch it on first.';

export const createSignInProvider = internal({
  id: 'createSignInProvider',
  method: 'POST',
  path: '/sign-in-providers',
  ...manageSignIn,
  stepUp: true,
  summary: 'Add a sign-in provider',
  description:
    'Unless told otherwise it is for administrators and students, finds accounts by `preferred_username`, creates none, and is enabled.',
  errors: { 409: nameTaken },
  affects: ['signInProvider'],
  activity: { verb: 'added', subject: 'signInProvider' },
  body: Input({
    name: is(Name, descriptions.name),
    issuer: Issuer,
    clientId: ClientId,
    clientSecret: ClientSecret,
    ...settings,
  }),
  data: SignInProvider,
});

export const updateSignInProvider = internal({
  id: 'updateSignInProvider',
  method: 'PATCH',
  path: '/sign-in-providers/:id',
  ...manageSignIn,
  stepUp: true,
  summary: 'Change a sign-in provider',
  description:
    'Another `issuer` or `clientId` needs the `clientSecret` again, and unbinds all accounts: the same identifier may be someone else there. Sessions that were opened there end.',
  target: { signInProvider: 'path.id' },
  errors: { 409: `${nameTaken} Or: ${lastProviderRefused}` },
  affects: ['signInProvider'],
  activity: { verb: 'changed', subject: 'signInProvider' },
  body: Input({
    name: Type.Optional(is(Name, descriptions.name)),
    issuer: Type.Optional(Issuer),
    clientId: Type.Optional(ClientId),
    clientSecret: Type.Optional(ClientSecret),
    ...settings,
  }),
  data: SignInProvider,
});

export const deleteSignInProvider = internal({
  id: 'deleteSignInProvider',
  method: 'DELETE',
  path: '/sign-in-providers/:id',
  ...manageSignIn,
  stepUp: true,
  summary: 'Remove a sign-in provider',
  description: 'Accounts stay; which of its people they were is forgotten. Open sessions continue.',
  target: { signInProvider: 'path.id' },
  errors: { 409: lastProviderRefused },
  affects: ['signInProvider'],
  activity: { verb: 'removed', subject: 'signInProvider' },
  data: Type.Object({ id: Id, name: ShownName }),
});

export const testSignInProvider = internal({
  id: 'testSignInProvider',
  method: 'POST',
  path: '/sign-in-providers/:id/test',
  ...manageSignIn,
  summary: 'Ask a sign-in provider whether it would do',
  description: 'Reads what the provider says about itself, and shows it the client secret.',
  target: { signInProvider: 'path.id' },
  affects: [],
  activity: null,
  data: Type.Object({
    finding: is(OneOf(providerFindings), 'What was found; `ok` where nothing is wrong.'),
    message: is(Text, 'The same as a sentence.'),
  }),
});

const LocalSignIn = Type.Object(
  {
    id: is(Id, 'Id of the school.'),
    name: is(ShownName, 'Name of the school.'),
    administrators: is(
      Type.Boolean(),
      'Administrators of the school may sign in with a password or passkey.',
    ),
    students: is(Type.Boolean(), 'Students may sign in with a password or a code of their slip.'),
  },
  { title: 'LocalSignIn' },
);

export const getLocalSignIn = internal({
  id: 'getLocalSignIn',
  method: 'GET',
  path: '/sign-in-providers/local',
  ...manageSignIn,
  summary: 'Read whether people may sign in without a provider',
  shows: ['school'],
  data: LocalSignIn,
});

export const updateLocalSignIn = internal({
  id: 'updateLocalSignIn',
  method: 'PATCH',
  path: '/sign-in-providers/local',
  ...manageSignIn,
  stepUp: true,
  summary: 'Let people sign in with the provider alone, or without it too',
  description:
    'Super administrators always sign in with their password. Sessions that are open continue. A refused sign-in is answered like a wrong password.',
  errors: { 409: 'There is no enabled provider for those who could not sign in any more.' },
  affects: ['school', 'signInProvider'],
  activity: { verb: 'changed', subject: 'school' },
  body: Input({
    administrators: Type.Optional(LocalSignIn.properties.administrators),
    students: Type.Optional(LocalSignIn.properties.students),
  }),
  data: LocalSignIn,
});

const Unbound = Type.Object({
  id: Id,
  username: LoginName,
  removed: is(Type.Integer({ minimum: 0 }), 'How many people at providers it was bound to.'),
});

const unbinding =
  'The next sign-in there that fits the account is bound to it. Where one was forgotten, the sessions of the account end.';

export const unbindAdministrator = internal({
  id: 'unbindAdministrator',
  method: 'POST',
  path: '/admin/manage/:id/unbind',
  tag,
  access: 'admin',
  duty: 'manageAdministrators',
  school: 'optional',
  stepUp: true,
  summary: 'Forget who an administrator is at sign-in providers',
  description: unbinding,
  target: { administrator: 'path.id' },
  affects: ['administrator', 'signInProvider'],
  activity: { verb: 'changed', subject: 'administrator' },
  data: Unbound,
});

export const unbindUser = internal({
  id: 'unbindUser',
  method: 'POST',
  path: '/users/:id/unbind',
  tag,
  access: 'admin',
  duty: 'manageStudents',
  school: 'required',
  stepUp: true,
  summary: 'Forget who a student is at sign-in providers',
  description: unbinding,
  target: { student: 'path.id' },
  affects: ['student', 'signInProvider'],
  activity: { verb: 'changed', subject: 'student' },
  data: Unbound,
});
