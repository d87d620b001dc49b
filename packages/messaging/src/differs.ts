/** The settings that are not as they are wanted. Others are no concern of ours: a server has many, and an operator sets some. */
export function differs<Config extends object>(config: Config, wanted: Partial<Config>): string[] {
  return Object.entries(wanted)
    .filter(([name, value]) => JSON.stringify(config[name as keyof Config]) !== JSON.stringify(value))
    .map(([name]) => name);
}
