import { createHash } from 'node:crypto';
import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { repositoryRoot } from '@payroll/infra/processes';
import { expect, it } from 'vitest';

/** SHA-256 by file. Databases have run these migrations and never run them again: a change needs a new migration. */
const RELEASED = {
  'rest-facade/Migration20261124000000_first.ts': '2c73545a4a462c4a9d8f3f3617159a65e57ff8eaebd53f7cd936db482a267d63',
  'services/contracts/Migration20261124000000_first.ts':
    '7f90ab9ced9208d4df8591743294712f0d6f361cd9076e79a959b006900aeea2',
  'services/contracts/Migration20261127150000_worker_signature.ts':
    'aed8a1f6308069f40db7336e4e22e30371519a0a37e78de07cc4694d1d1d3641',
  'services/payments/Migration20261124000000_first.ts':
    '1a892cd87ddacd245a92136388085ad5fc5c875676f96efab09dd27dc907ac68',
  'services/payments/Migration20261127000000_order_source.ts':
    '44f0f41dc0ce4114cc0cf7cfcd0fe7f9788344ffbb63319cbf8b1d0b553f1067',
  'services/payments/Migration20261127152852_payee_holder.ts':
    '750a76b385711f1a54476db2384af2a859516df5076d1d46bc9c110305f0ff1c',
  'services/payments/Migration20261127154421_payee_hold.ts':
    '88988efc58a416159c928a6ae1e9ac7100fb709620c511ea4d54bd2d1b18e140',
  'services/payments/Migration20261127193015_payout_change.ts':
    '05f89726e408f28559a7ecef94146051fde24d7c8f510283658355197ab0ba5f',
  'services/payments/Migration20261127193016_payout_change_index.ts':
    'cbf5a082c82f01e07595225f54821e4e3ba794575a5bf27c6125cb7c1354f057',
  'services/payments/Migration20261127193017_payout_change_unique.ts':
    '331497c490eaace071cb3624155ee610af9eff7c8cee416fdac3e97b2494db71',
  'services/payments/Migration20261127200603_entered_with.ts':
    '6d7743858acea135fbc1254951ca143ad04f806f99ff9ba427dbf1fb8fbbcc66',
  'services/review/Migration20261124000000_first.ts':
    '679ca7f7340cc27097a08e650a68f4efcba7f1c9df66cfb7c556f6d6a07b2f25',
  'services/review/Migration20261127153000_own_work.ts':
    'dc7602612e6a14e32b1735b98fc537d61859e16de297d9a8b132e04282524031',
  'services/workspaces/Migration20261124000000_first.ts':
    'db421a994fde0676d42cb1bc63a6949a8547e16a00730c1c84627dcf5b2d6c61',
  'services/workspaces/Migration20261127150000_worker_access.ts':
    '427d4cbfb77b5c88fc62ce9499451ce31db48b9b76b0d93af01fdd7f16596c8a',
  'services/workspaces/Migration20261127154000_mail.ts':
    '190987ca26ed0942203c10cebbbe1024cb55fbbfd7519633385acd1e3df40412',
  'services/workspaces/Migration20261127160000_second_factor.ts':
    '5b0dde2390ea093a828efb5804fb155200070ad2a5493ee6c663a7378e23462c',
  'services/workspaces/Migration20261127160325_mail_choice.ts':
    '5a380bab5259b4444f2529602209cf8fe16b9ee0868fb8bc03d84ab22c81c7e9',
  'services/workspaces/Migration20261127193016_payout_change.ts':
    'f206da2c71cd15b30dd9de824c1cb04c6739183a61c869f3b251f53fe4030135',
  'services/workspaces/Migration20261127193525_address_and_closing.ts':
    'bcfe358326beee6ca1768aae7f31bfcf978f600b9eeced2c8640c8ef0dfe2262',
  'services/workspaces/Migration20261127193526_account_closing_index.ts':
    'afd3285d294d04ec8a8189b52a88e5f842201a9842f073d78d87144dd7b478ef',
  'services/workspaces/Migration20261127193527_notice_kinds.ts':
    'ae76759a5d6d727151013f82591682e88e312487ed21c4deb8e654b877fc13ba',
  'services/workspaces/Migration20261127200518_second_factor_required.ts':
    '04cb9a32f069f5222300482748f560ead4f795406d4fba372255e03b57103993',
  'services/workspaces/Migration20261130004437_contract_ended_notice.ts':
    '8004ea982dbe5885872d822f53035deb07e92aeaf33bd8661f000c9fd9898d5a',
  'services/workspaces/Migration20261130004438_notice_kinds_again.ts':
    '4e7ef1ae48e1b3d563aad3b2f70392b646ffe049692ce76c5b7644ce9ef61f01',
};

it('a released migration is never edited', () => {
  const files = globSync('{services/*,rest-facade}/src/store/migrations/Migration*.ts', {
    cwd: repositoryRoot,
  }).toSorted();
  const digests = files.map((file) => {
    const text = readFileSync(join(repositoryRoot, file), 'utf8');
    return [file.replace('/src/store/migrations', ''), createHash('sha256').update(text).digest('hex')];
  });
  expect(Object.fromEntries(digests)).toEqual(RELEASED);
});
