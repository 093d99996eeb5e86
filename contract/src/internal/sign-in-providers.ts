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
  Optional,
  ShownName,
  Text,
  Titled,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';

const manageSignIn = { access: 'admin', duty: 'manageSignIn', school: 'required' } as const;

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
  name: 'The label of the button on the sign-in page.',
  issuer: 'The issuer URL of the provider.',
  clientId: 'The client id of this installation at the provider.',
  scopes: 'The scopes to request, separated by spaces.',
  claim: 'The claim of the provider that matches an account.',
} as const;

const words = {
  kind: is(OneOf(signInProviderKinds), 'The protocol of the provider.'),
  name: is(ShownName, descriptions.name),
  issuer: is(Text, descriptions.issuer),
  clientId: is(Text, descriptions.clientId),
  scopes: is(Text, descriptions.scopes),
  forAdministrators: is(Type.Boolean(), 'Whether administrators of the school sign in there.'),
  forStudents: is(Type.Boolean(), 'Whether students of the school sign in there.'),
  claim: is(Text, descriptions.claim),
  studentAttribute: is(
    OneOf(studentAttributes),
    'The field of the student that must equal the claim. For administrators it is always the username.',
  ),
  createStudentsIn: is(
    Nullable(ClassId),
    'The class in which the server creates students without an account, or null to create none.',
  ),
  enabled: is(Type.Boolean(), 'Whether the provider is on the sign-in page and can be used.'),
};

export const SignInProvider = Titled('SignInProvider', {
  id: Id,
  ...words,
  boundAccounts: is(Type.Integer({ minimum: 0 }), 'Number of accounts that have signed in there.'),
  createdAt: CreatedAt,
});
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
  description: 'The client secret. It is stored encrypted and never returned.',
});
const Scopes = Type.String({
  minLength: 1,
  maxLength: limits.clientTextLengthMax,
  pattern: '^[\\x21-\\x7e]+( [\\x21-\\x7e]+)*$',
  'x-characters': 'Words of visible ASCII characters, separated by single spaces.',
  'x-trim': true,
  description: `${descriptions.scopes} \`openid\` is always requested.`,
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

const nameTaken = 'The name is taken in the school.';
const lastProviderRefused =
  'Local sign-in is off, and this is the last enabled provider for these people. Switch local sign-in on first.';

const LocalSignIn = Titled('LocalSignIn', {
  id: is(Id, 'Id of the school.'),
  name: is(ShownName, 'Name of the school.'),
  administrators: is(
    Type.Boolean(),
    'Whether administrators of the school may sign in with a password or passkey.',
  ),
  students: is(Type.Boolean(), 'Whether students may sign in with a password or the code on their slip.'),
});

const Unbound = Type.Object({
  id: Id,
  username: LoginName,
  removed: is(Type.Integer({ minimum: 0 }), 'Number of removed bindings.'),
});

const unbinding =
  'The next sign-in at a provider that matches the account is bound to it. If a binding was removed, the sessions of the account end.';

export const signInProviderOperations = internal('Sign-in providers', {
  listSignInChoices: {
    route: 'GET /auth/providers',
    summary: 'List the sign-in providers for the sign-in page',
    description:
      'An unknown school has an empty list. To sign in, a browser opens `/api/auth/sso/:id/start` with `for` and `schoolDb`.',
    access: 'public',
    shows: ['signInProvider', 'school'],
    query: Type.Object({
      for: is(OneOf(signInAudiences), 'Whether an administrator or a student signs in.'),
      schoolDb: Type.Optional(
        Type.String({
          maxLength: 100,
          ...anyText,
          description:
            'Code of the school. The default is the only school with providers, if there is just one.',
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
      askForSchool: is(
        Type.Boolean(),
        'Whether several schools have providers, so that the person must name one.',
      ),
      localSignIn: is(Type.Boolean(), 'Whether people of the school may also sign in with a password.'),
    }),
  },

  listSignInProviders: {
    route: 'GET /sign-in-providers',
    ...manageSignIn,
    summary: 'List the sign-in providers of a school',
    shows: ['signInProvider', 'class'],
    query: Type.Object({ ...internalPaging }),
    data: Type.Array(SignInProvider),
  },

  createSignInProvider: {
    route: 'POST /sign-in-providers',
    ...manageSignIn,
    stepUp: true,
    summary: 'Add a sign-in provider',
    description:
      'By default, the provider is enabled for administrators and students. It matches accounts by `preferred_username` and creates none.',
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
  },

  updateSignInProvider: {
    route: 'PATCH /sign-in-providers/:id',
    ...manageSignIn,
    stepUp: true,
    summary: 'Change a sign-in provider',
    description:
      'A new `issuer` or `clientId` requires the `clientSecret` again. It unbinds all accounts, because the same identifier may belong to another person there. Sessions from this provider end.',
    target: { signInProvider: 'path.id' },
    errors: {
      409: 'The name is taken in the school, or local sign-in is off and this is the last enabled provider for these people.',
    },
    affects: ['signInProvider'],
    activity: { verb: 'changed', subject: 'signInProvider' },
    body: Input({
      name: Optional(Name, descriptions.name),
      issuer: Type.Optional(Issuer),
      clientId: Type.Optional(ClientId),
      clientSecret: Type.Optional(ClientSecret),
      ...settings,
    }),
    data: SignInProvider,
  },

  deleteSignInProvider: {
    route: 'DELETE /sign-in-providers/:id',
    ...manageSignIn,
    stepUp: true,
    summary: 'Remove a sign-in provider',
    description: 'Accounts are kept, but their bindings to the provider are deleted. Open sessions continue.',
    target: { signInProvider: 'path.id' },
    errors: { 409: lastProviderRefused },
    affects: ['signInProvider'],
    activity: { verb: 'removed', subject: 'signInProvider' },
    data: Type.Object({ id: Id, name: ShownName }),
  },

  testSignInProvider: {
    route: 'POST /sign-in-providers/:id/test',
    ...manageSignIn,
    summary: 'Test a sign-in provider',
    description: 'Reads the configuration of the provider and sends it the client secret.',
    target: { signInProvider: 'path.id' },
    affects: [],
    activity: null,
    data: Type.Object({
      finding: is(OneOf(providerFindings), 'The result of the test, or `ok` if there is no problem.'),
      message: is(Text, 'The result as a sentence.'),
    }),
  },

  getLocalSignIn: {
    route: 'GET /sign-in-providers/local',
    ...manageSignIn,
    summary: 'Read whether people may sign in without a provider',
    shows: ['school'],
    data: LocalSignIn,
  },

  updateLocalSignIn: {
    route: 'PATCH /sign-in-providers/local',
    ...manageSignIn,
    stepUp: true,
    summary: 'Set whether people may sign in without a provider',
    description:
      'Super administrators can always sign in with their password. Open sessions continue. A refused sign-in returns the same error as a wrong password.',
    errors: { 409: 'The people who could no longer sign in have no enabled provider.' },
    affects: ['school', 'signInProvider'],
    activity: { verb: 'changed', subject: 'school' },
    body: Input({
      administrators: Type.Optional(LocalSignIn.properties.administrators),
      students: Type.Optional(LocalSignIn.properties.students),
    }),
    data: LocalSignIn,
  },

  unbindAdministrator: {
    route: 'POST /admin/manage/:id/unbind',
    access: 'admin',
    duty: 'manageAdministrators',
    school: 'optional',
    stepUp: true,
    summary: 'Unbind an administrator from sign-in providers',
    description: unbinding,
    target: { administrator: 'path.id' },
    affects: ['administrator', 'signInProvider'],
    activity: { verb: 'changed', subject: 'administrator' },
    data: Unbound,
  },

  unbindUser: {
    route: 'POST /users/:id/unbind',
    access: 'admin',
    duty: 'manageStudents',
    school: 'required',
    stepUp: true,
    summary: 'Unbind a student from sign-in providers',
    description: unbinding,
    target: { student: 'path.id' },
    affects: ['student', 'signInProvider'],
    activity: { verb: 'changed', subject: 'student' },
    data: Unbound,
  },
});
