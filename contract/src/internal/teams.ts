import Type, { type Static } from 'typebox';
import {
  ClassFilter,
  ClassId,
  CreatedAt,
  Description,
  Id,
  Input,
  is,
  Name,
  Nullable,
  OneOf,
  Score,
  ScoreChange,
  ShownName,
  Text,
  Timestamp,
} from '../fields.ts';
import { limits } from '../limits.ts';
import { internal } from '../operation.ts';
import { internalPaging } from './lists.ts';
import { Author } from './records.ts';

const tag = 'Teams';
/** Administrators who can give points in a class can also change its teams. */
const manageTeams = { tag, access: 'admin', duty: 'manageScores', school: 'required' } as const;

export const teamRankings = ['average', 'sum'] as const;

const Ranking = is(
  OneOf(teamRankings),
  'How the points of members count for their team: per member, or all of them.',
);
const Colour = Type.Integer({
  minimum: 1,
  maximum: limits.teamColours,
  description: 'The colour in the pages.',
});
const Version = is(
  Type.String({ minLength: 1, maxLength: 64 }),
  'Stands for how the teams are now; it changes with them.',
);

export const Team = Type.Object(
  {
    id: Id,
    name: ShownName,
    colour: Colour,
    userIds: is(Type.Array(Id), 'Ids of its members. Disabled students are left out.'),
    memberPoints: is(
      Score,
      'What its members were given since each of them joined, in the current term. Points from before stay with the student alone.',
    ),
    ownPoints: is(Score, 'What was given to the team itself in the current term.'),
    points: Type.Number({
      description: 'What the team is ranked by: the points of members as `ranking` says, and its own.',
    }),
    rank: is(Type.Integer({ minimum: 1 }), 'Place among the teams, from 1. Equals share one: 1, 2, 2, 4.'),
  },
  { title: 'Team' },
);
export type Team = Static<typeof Team>;

export const ClassTeams = Type.Object(
  { classId: ClassId, version: Version, ranking: Ranking, teams: is(Type.Array(Team), 'In their order.') },
  { title: 'ClassTeams' },
);
export type ClassTeams = Static<typeof ClassTeams>;

export const TeamRecord = Type.Object(
  {
    id: Id,
    teamId: is(Id, 'Id of the team.'),
    teamName: is(Text, 'Name of the team.'),
    scoreChange: is(Score, 'Points; negative for a deduction.'),
    description: is(Text, 'The reason, in words.'),
    createdAt: CreatedAt,
    author: Author,
    termId: is(Nullable(Id), 'Id of the closed term that it belongs to; null: the current one.'),
    revokedAt: is(Nullable(Timestamp), 'When it was taken back; null: it was not.'),
    revokedBy: is(Nullable(Author), 'Who took it back; null: nobody.'),
  },
  { title: 'TeamRecord' },
);
export type TeamRecord = Static<typeof TeamRecord>;

export const getTeams = internal({
  id: 'getTeams',
  method: 'GET',
  path: '/teams',
  ...manageTeams,
  summary: 'Read the teams of a class with their points and ranks',
  shows: ['team', 'student', 'score'],
  query: Type.Object({ classId: ClassFilter }),
  data: ClassTeams,
});

export const replaceTeams = internal({
  id: 'replaceTeams',
  method: 'POST',
  path: '/teams',
  ...manageTeams,
  summary: 'Replace the teams of a class and who is in them',
  description:
    'A team with an `id` stays, with its own points; one that is left out is removed with them. Who stays in a team goes on counting for it, who joins begins at 0. `anew` lets everybody begin at 0.',
  idempotent: 'open',
  target: { class: 'body.classId' },
  affects: ['team'],
  activity: { verb: 'changed', subject: 'class' },
  errors: { 409: 'The teams are not as `version` says any more: somebody else changed them.' },
  body: Input({
    classId: ClassId,
    version: is(Version, 'The version that the change is made from.'),
    ranking: Type.Optional(Ranking),
    anew: Type.Optional(
      is(Type.Boolean(), 'Whether members who stay in their team begin at 0, too. False by default.'),
    ),
    teams: Type.Array(
      Input({
        id: Type.Optional(is(Id, 'Id of a team that is there; none for a new one.')),
        name: is(Name, 'Name of the team, unique in the class.'),
        colour: Colour,
        userIds: Type.Array(Id, {
          maxItems: limits.teamMembersMax,
          description: 'Ids of its members. A student is in one team at most.',
        }),
      }),
      { maxItems: limits.teamsMax, description: 'In their order.' },
    ),
  }),
  data: ClassTeams,
});

export const giveTeamPoints = internal({
  id: 'giveTeamPoints',
  method: 'POST',
  path: '/teams/records',
  ...manageTeams,
  summary: 'Give points to teams themselves: to all of them, or to none',
  description: 'They count for the team, whoever is in it, and in no student’s total.',
  idempotent: 'open',
  target: { class: 'body.classId' },
  affects: ['team'],
  activity: null,
  body: Input({
    classId: ClassId,
    teamIds: Type.Array(Id, { minItems: 1, maxItems: limits.teamsMax, description: 'Ids of the teams.' }),
    scoreChange: ScoreChange,
    description: Type.Optional(Description),
  }),
  data: Type.Object({
    records: is(Type.Array(TeamRecord), 'One of each team, in the order of the request.'),
  }),
});

export const listTeamRecords = internal({
  id: 'listTeamRecords',
  method: 'GET',
  path: '/teams/records',
  ...manageTeams,
  summary: 'List what the teams of a class were given, newest first',
  description: `Revoked ones and those of past terms too, each with what became of it. ${limits.scoreLogsDefault} unless \`limit\` is given.`,
  shows: ['team', 'term', 'administrator'],
  query: Type.Object({ ...internalPaging, classId: ClassFilter }),
  data: Type.Array(TeamRecord),
});

export const revokeTeamRecords = internal({
  id: 'revokeTeamRecords',
  method: 'POST',
  path: '/teams/records/revoke',
  ...manageTeams,
  summary: 'Revoke points of teams: all of them, or none',
  description: 'A record that is already revoked counts as done, so the call can be repeated.',
  target: { class: 'body.classId' },
  affects: ['team'],
  activity: null,
  errors: { 409: 'A record belongs to a closed term.' },
  body: Input({
    classId: ClassId,
    ids: is(Type.Array(Id, { minItems: 1, maxItems: limits.teamsMax }), 'Ids of the records.'),
  }),
  data: Type.Object({
    revoked: Type.Integer({ minimum: 0, description: 'How many records this call revoked.' }),
  }),
});
