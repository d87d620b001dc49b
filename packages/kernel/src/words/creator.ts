// What creators and businesses agree on (public-api.md §2).

export const EXCLUSIVITIES = ['none', 'ongoing', 'fixed_term'] as const;
export type Exclusivity = (typeof EXCLUSIVITIES)[number];

export const IP_OWNERSHIPS = ['creator', 'business'] as const;
export type IpOwnership = (typeof IP_OWNERSHIPS)[number];

export const CREATOR_PLATFORMS = ['youtube', 'tiktok', 'instagram', 'facebook', 'x', 'other'] as const;
export type CreatorPlatform = (typeof CREATOR_PLATFORMS)[number];

export const CREATOR_FORMATS = ['video', 'post', 'reel', 'story', 'other'] as const;
export type CreatorFormat = (typeof CREATOR_FORMATS)[number];
