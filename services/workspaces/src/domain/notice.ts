/** Whom a notice is for. Those for an account itself are mailed at once, each by itself. */
export type Audience = 'account' | 'worker' | 'admins';

/** Everything that is mailed and needs no secret. An event names the kind. */
export const AUDIENCES = {
  password_changed: 'account',
  new_browser: 'account',
  second_factor_set: 'account',
  second_factor_removed: 'account',
  recovery_code_used: 'account',
  access_ended: 'account',
  address_changed: 'account',
  address_restored: 'account',
  closing_requested: 'account',
  closing_called_off: 'account',
  payout_details_changed: 'account',
  password_removed: 'account',
  contract_to_sign: 'worker',
  contract_ended: 'worker',
  work_sent_back: 'worker',
  paid: 'worker',
  payout_details_needed: 'worker',
  changes_asked: 'admins',
  work_waiting: 'admins',
  payment_failed: 'admins',
  payout_change_stopped: 'admins',
} as const satisfies Record<string, Audience>;

export type NoticeKind = keyof typeof AUDIENCES;

export type KindFor<Of extends Audience> = {
  [Kind in NoticeKind]: (typeof AUDIENCES)[Kind] extends Of ? Kind : never;
}[NoticeKind];

export const NOTICE_KINDS = Object.keys(AUDIENCES) as readonly NoticeKind[];

export const TOPICS = ['work', 'contracts', 'money'] as const;
export type Topic = (typeof TOPICS)[number];

/** People choose a rhythm for each topic of a workspace; account mails have no choice. */
export const TOPIC_OF: Record<KindFor<'worker' | 'admins'>, Topic> = {
  work_sent_back: 'work',
  work_waiting: 'work',
  contract_to_sign: 'contracts',
  contract_ended: 'contracts',
  changes_asked: 'contracts',
  paid: 'money',
  payout_details_needed: 'money',
  payment_failed: 'money',
  payout_change_stopped: 'money',
};

/** `daily`: at 07:00 UTC, if there is anything. */
export const RHYTHMS = ['at_once', 'daily', 'never'] as const;
export type Rhythm = (typeof RHYTHMS)[number];

export const MAIL_STATES = ['waiting', 'sent', 'given_up', 'dropped'] as const;
