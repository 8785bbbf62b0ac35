/** `disabled`: it answers as Evolution does where the integration is switched off; `missing`: Parley has no equivalent. */
type Outcome = 'works' | 'disabled' | 'missing';

interface Operation {
  readonly path: string;
  readonly outcome: Outcome;
  /** Where the answer has less, or more, than the outcome says. */
  readonly note?: string;
}

const works = (path: string, note?: string): Operation => ({ path, outcome: 'works', ...(note && { note }) });
const disabled = (path: string, note?: string): Operation => ({
  path,
  outcome: 'disabled',
  ...(note && { note }),
});
const missing = (path: string, note: string): Operation => ({ path, outcome: 'missing', note });

/**
 * Every operation of `n8n-nodes-evolution-api` 1.0.4 with its outcome, by resource, operation and the choice that selects the
 * request. The test beside runs each and compares; the migration guide from Evolution shows the table.
 */
export const N8N_OPERATIONS = {
  'instances-api instance-basic': works('/instance/create', 'the number has to be registered before'),
  'instances-api instance-connect': works('/instance/connect'),
  'instances-api fetch-instances': works('/instance/fetchInstances'),
  'instances-api instance-settings': works(
    '/settings/set',
    '`alwaysOnline`, `readMessages`, `readStatus` and `msgCall` are refused when they are switched on',
  ),
  'instances-api set-presence': works('/instance/setPresence'),
  'instances-api set-proxy setProxy': works('/proxy/set', 'to switch it off; on, it answers as disabled'),
  'instances-api set-proxy findProxy': works('/proxy/find', 'there is never one'),
  'instances-api restart-instance': works('/instance/restart'),
  'instances-api logout-instance': works('/instance/logout'),
  'instances-api delete-instance': works('/instance/delete'),
  'messages-api send-text': works('/message/sendText'),
  'messages-api send-image': works('/message/sendMedia'),
  'messages-api send-video': works('/message/sendMedia'),
  'messages-api send-audio': works('/message/sendWhatsAppAudio', 'sound is not converted'),
  'messages-api send-document': works('/message/sendMedia'),
  'messages-api send-poll': works('/message/sendPoll'),
  'messages-api send-contact': works('/message/sendContact', 'one card at a time'),
  'messages-api send-list': works('/message/sendList'),
  'messages-api send-buttons': works('/message/sendButtons'),
  'messages-api send-stories': works('/message/sendStatus', 'without a colour or a font, for all contacts'),
  'messages-api send-pix': missing('/message/sendButtons', '400: no button of this type'),
  'messages-api send-reaction': works('/message/sendReaction'),
  'groups-api create-group': works('/group/create'),
  'groups-api update-group-picture': works('/group/updateGroupPicture'),
  'groups-api update-group-name': works('/group/updateGroupSubject'),
  'groups-api update-group-description': works('/group/updateGroupDescription'),
  'groups-api fetch-invite-code': works('/group/inviteCode'),
  'groups-api revoke-invite-code': works('/group/revokeInviteCode'),
  'groups-api send-invite-link': works('/group/sendInvite'),
  'groups-api fetch-groups inviteCode': missing('/group/inviteInfo', '404'),
  'groups-api fetch-groups groupJid': works('/group/findGroupInfos'),
  'groups-api fetch-groups fetchAll': works('/group/fetchAllGroups'),
  'groups-api find-participants': works('/group/participants'),
  'groups-api update-participants': works('/group/updateParticipant'),
  'groups-api update-settings': works('/group/updateSetting'),
  'groups-api toggle-ephemeral': works('/group/toggleEphemeral'),
  'groups-api join-group': works('/group/acceptInviteCode'),
  'groups-api leave-group': works('/group/leaveGroup'),
  'chat-api check-number': works('/chat/whatsappNumbers'),
  'chat-api read-messages': works('/chat/markMessageAsRead'),
  'chat-api manage-archive': works('/chat/archiveChat'),
  'chat-api mark-unread': works('/chat/markChatUnread'),
  'chat-api delete-message': works('/chat/deleteMessageForEveryone'),
  'chat-api fetch-profile-picture': works('/chat/fetchProfilePictureUrl'),
  'chat-api get-media-base64': works('/chat/getBase64FromMediaMessage', 'without `convertToMp4`'),
  'chat-api update-message': works('/chat/updateMessage'),
  'chat-api send-presence': works('/chat/sendPresence'),
  'chat-api block-contact': works('/chat/updateBlockStatus'),
  'chat-api find-contacts': works('/chat/findContacts'),
  'chat-api find-messages': works('/chat/findMessages'),
  'chat-api find-status-messages': works('/chat/findStatusMessage', 'how far a message is now, not its past'),
  'chat-api find-chats': works('/chat/findChats'),
  'profile-api fetch-profile': works('/chat/fetchProfile'),
  'profile-api fetch-business-profile': works(
    '/chat/fetchBusinessProfile',
    'whether it is one, and its name',
  ),
  'profile-api update-profile-name': works('/chat/updateProfileName'),
  'profile-api update-profile-status': works('/chat/updateProfileStatus'),
  'profile-api update-profile-picture': works('/chat/updateProfilePicture'),
  'profile-api remove-profile-picture': works('/chat/removeProfilePicture'),
  'profile-api fetch-privacy-settings': missing('/chat/fetchPrivacySettings', '404'),
  'profile-api update-privacy-settings': missing('/chat/updatePrivacySettings', '404'),
  'events-api webhook setWebhook': works('/webhook/set'),
  'events-api webhook findWebhook': works('/webhook/find'),
  'events-api rabbitmq setRabbitMQ': disabled('/rabbitmq/set'),
  'events-api rabbitmq findRabbitMQ': disabled('/rabbitmq/find'),
  'integrations-api chatwoot setChatwoot': disabled('/chatwoot/set'),
  'integrations-api chatwoot findChatwoot': disabled('/chatwoot/find'),
  'integrations-api typebot createTypebot': disabled('/typebot/create'),
  'integrations-api typebot findTypebot': disabled('/typebot/fetch'),
  'integrations-api typebot updateTypebot': disabled('/typebot/update'),
  'integrations-api typebot deleteTypebot': disabled('/typebot/delete'),
  'integrations-api typebot startTypebot': disabled('/typebot/start'),
  'integrations-api typebot fetchSessionsTypebot': disabled('/typebot/fetchSessions'),
  'integrations-api typebot changeStatusTypebot': disabled('/typebot/changeStatus'),
  'integrations-api evolution-bot createEvolutionBot': disabled('/evolutionBot/create'),
  'integrations-api evolution-bot findEvolutionBot': disabled('/evolutionBot/fetch'),
  'integrations-api evolution-bot updateEvolutionBot': disabled('/evolutionBot/update'),
  'integrations-api evolution-bot deleteEvolutionBot': disabled('/evolutionBot/delete'),
  'integrations-api evolution-bot fetchSessionsEvolutionBot': disabled('/evolutionBot/fetchSessions'),
  'integrations-api evolution-bot changeStatusEvolutionBot': disabled('/evolutionBot/changeStatus'),
  'integrations-api difyBot createDify': disabled('/dify/create'),
  'integrations-api difyBot findDify': disabled('/dify/fetch'),
  'integrations-api difyBot updateDify': disabled('/dify/update'),
  'integrations-api difyBot deleteDify': disabled('/dify/delete'),
  'integrations-api difyBot fetchSessionsDify': disabled('/dify/fetchSessions'),
  'integrations-api difyBot changeStatusDify': missing(
    '',
    'the node has it in its menu alone, and asks for nothing',
  ),
  'integrations-api flowise-bot createFlowise': disabled(
    '/flowise/create',
    'the node cannot run it: menu and code name it differently',
  ),
  'integrations-api flowise-bot findFlowise': disabled('/flowise/fetch'),
  'integrations-api flowise-bot updateFlowise': disabled('/flowise/update'),
  'integrations-api flowise-bot deleteFlowise': disabled('/flowise/delete'),
  'integrations-api flowise-bot fetchSessionsFlowise': disabled('/flowise/fetchSessions'),
  'integrations-api flowise-bot changeStatusFlowise': disabled('/flowise/changeStatus'),
} as const satisfies Record<string, Operation>;

export type OperationName = keyof typeof N8N_OPERATIONS;
