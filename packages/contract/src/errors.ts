/**
 * Every error a user can see: code, HTTP status, and what to do, in both languages. `{name}` in a sentence is filled
 * from the error's parameters. Statuses follow section 8 of the product document.
 */
const table = {
  // every route may return these
  INVALID_INPUT: [400, '输入有误，请检查标出的字段', 'Some of the input is wrong. Check the marked fields.'],
  MALFORMED_BODY: [
    400,
    '请求内容无法解析，请刷新页面后重试',
    'The request could not be read. Reload the page and try again.',
  ],
  UNAUTHORIZED: [401, '登录已失效，请重新登录', 'Your sign-in has ended. Please sign in again.'],
  USER_LOGIN_ANOTHER_DEVICE: [401, '您的账号已在其他设备登录', 'Your account is signed in on another device.'],
  CHANGE_PWD_LDAP: [401, '密码已变更，请重新登录', 'Your password has changed. Please sign in again.'],
  FORBIDDEN: [403, '您没操作权限，请联系管理员', 'You are not allowed to do this. Please ask your administrator.'],
  NOT_FOUND: [404, '内容不存在或已被删除，请刷新后重试', 'This does not exist or has been deleted. Reload the list.'],
  METHOD_NOT_ALLOWED: [405, '不支持的请求方式', 'This address does not accept this kind of request.'],
  REQUEST_TIMEOUT: [
    408,
    '请求连接超时，请联系管理员',
    'The request took too long. Please try again, or ask your administrator.',
  ],
  BODY_TOO_LARGE: [413, '提交的内容过大，请精简后重试', 'The request is too large. Shorten it and try again.'],
  UNSUPPORTED_MEDIA_TYPE: [415, '不支持的内容类型', 'This kind of content is not accepted here.'],
  HOST_UNKNOWN: [
    400,
    '系统尚未登记此访问地址。请改用 IP 地址访问，或请管理员在服务器上运行 npm run setup -- address {url}',
    'This server does not know this address yet. Use its IP address, or ask the administrator to run npm run ' +
      'setup -- address {url} on the server.',
  ],
  HOST_NOT_SERVED: [
    400,
    '此地址不是本系统的访问地址，请改用 {url}',
    'This is not an address of this server. Please use {url}.',
  ],
  TOO_MANY_REQUESTS: [
    429,
    '操作过于频繁，请在 {seconds} 秒后重试',
    'Too many attempts. Please wait {seconds} seconds and try again.',
  ],
  SERVER_ERROR: [
    500,
    '服务器错误，请联系管理员',
    'Something went wrong on the server. Please contact your administrator and quote request {requestId}.',
  ],
  DATABASE_DAMAGED: [
    503,
    '服务器的数据库已损坏，部分数据无法读取或保存，请联系管理员',
    'The database of the server is damaged, so some data cannot be read or saved. Please tell your administrator.',
  ],
  DISK_FULL: [
    503,
    '服务器存储空间已满，暂时无法保存，请联系管理员',
    'The disk of the server is full, so nothing can be saved. Please tell your administrator.',
  ],
  SERVICE_BUSY: [503, '服务繁忙, 请稍后重试', 'The service is busy. Please try again shortly.'],
  API_TOKEN_INVALID: [
    401,
    '访问令牌无效或已过期，请重新获取',
    'This access token is not valid or has expired. Please get a new one.',
  ],
  SCOPE_MISSING: [
    403,
    'API 客户端没有此调用所需的权限范围 {scope}，请联系管理员',
    'The API client does not have the scope for this call: {scope}. Please ask your administrator.',
  ],
  NETWORK_REFUSED: [
    403,
    'API 客户端不允许从此地址调用，请联系管理员',
    'The API client may not be used from this address. Please ask your administrator.',
  ],

  // auth
  BAD_CREDENTIALS: [
    406,
    '账号、密码或单位错误，请核对后重新输入',
    'The account, password or organisation is wrong. Check them and try again.',
  ],
  TENANT_AMBIGUOUS: [409, '多个单位有此账号，请选择一个', 'Several organisations have this account. Choose one.'],
  CAPTCHA_REQUIRED: [406, '需要安全验证，请重试', 'A security check is required. Please try again.'],
  CAPTCHA_WRONG: [406, '安全验证失败或已过期，请重试', 'The security check failed or has expired. Please try again.'],
  ACCOUNT_LOCKED: [
    406,
    '登录失败次数过多，请在 {seconds} 秒后重试',
    'Too many failed sign-ins. Please wait {seconds} seconds and try again.',
  ],
  ACCOUNT_DISABLED: [406, '账号已停用，请联系管理员', 'This account is disabled. Please ask your administrator.'],
  TENANT_DISABLED: [
    406,
    '所属单位已停用，请联系平台服务方',
    'Your organisation is disabled. Please ask the platform operator.',
  ],
  SIGN_IN_MODE_OFF: [
    406,
    '所属单位未开启此登录方式，请换一种方式登录',
    'Your organisation does not offer this way to sign in. Please use another one.',
  ],
  TENANT_NEEDED: [
    406,
    '账号或密码错误。如果所属单位使用自己的目录登录，请同时填写所属单位',
    'The account or password is wrong. If your organisation has its own directory, enter the organisation as well.',
  ],
  DIRECTORY_UNREACHABLE: [
    406,
    '所属单位的目录服务暂时无法连接，请稍后重试或联系管理员',
    'The directory of your organisation does not answer. Please try again later, or ask your administrator.',
  ],
  DIRECTORY_LOCKED: [
    406,
    '账号已在所属单位的目录中被锁定，请稍后重试或联系管理员',
    'Your account is locked in the directory of your organisation. Please try again later, or ask your administrator.',
  ],
  DIRECTORY_REFUSED: [
    406,
    '所属单位的目录不允许此账号现在登录，请联系管理员',
    'The directory of your organisation does not let this account sign in now. Please ask your administrator.',
  ],
  DIRECTORY_PASSWORD_REFUSED: [
    406,
    '目录未接受新密码：可能过短、过于简单、曾经使用过，或刚刚修改过。请换一个密码或联系管理员',
    'The directory does not accept the new password: it may be too short, too simple, used before, or changed too ' +
      'recently. Choose another one, or ask your administrator.',
  ],
  PASSWORD_IN_DIRECTORY: [
    406,
    '此账号的密码由所属单位的目录管理，请在目录中修改',
    'The password of this account is kept in the directory of the organisation. Change it there.',
  ],
  PASSWORD_UNREADABLE: [
    406,
    '密码未能解密，请刷新登录页后重试',
    'The password could not be decrypted. Reload the sign-in page and try again.',
  ],

  PWD_EXPIRED: [
    406,
    '密码已到期或需要修改，请设置新密码',
    'Your password has expired or must be changed. Please choose a new one.',
  ],
  PASSWORD_TOO_WEAK: [
    406,
    '新密码至少 {minLength} 位，并包含大写字母、小写字母、数字、符号中的 {minClasses} 种，且不含账号',
    'The new password needs at least {minLength} characters, {minClasses} of these kinds: upper case, lower case, ' +
      'digits, others. It must not contain the account name.',
  ],
  PASSWORD_REUSED: [
    406,
    '新密码不能与最近 {count} 次使用过的密码相同',
    'Choose a password that you have not used among your last {count}.',
  ],
  PASSWORD_WRONG: [406, '当前密码错误，请重新输入', 'The current password is wrong. Please try again.'],
  SIGN_INVALID: [
    406,
    '登录凭证已失效，请重新打开链接或重新登录',
    'This ticket has been used or has expired. Open the link again, or sign in.',
  ],
  CODE_WRONG: [
    406,
    '验证码错误或已失效，请核对或重新获取',
    'The code is wrong or no longer works. Check it, or get a new one.',
  ],
  MULTI_AUTH_REQUIRED: [406, '请完成第二步验证', 'A second step is needed to sign in.'],
  FACTOR_TICKET_INVALID: [
    406,
    '登录已超时或错误次数过多，请重新登录',
    'Too much time has passed, or too many codes were wrong. Please sign in again.',
  ],
  FACTOR_DEMANDED: [
    406,
    '所属单位要求两步验证，不能移除最后一种验证方式',
    'Your organisation requires a second factor, so the last one cannot be removed. Add another one first.',
  ],
  PASSKEY_REFUSED: [
    406,
    '无法验证此通行密钥，请重试或换一种方式',
    'This passkey could not be verified. Try again, or choose another way.',
  ],
  PASSKEYS_UNAVAILABLE: [
    406,
    '当前访问地址不能使用通行密钥，请使用系统的域名地址，或换一种方式',
    "Passkeys do not work at this address. Open this server's host name, or choose another way.",
  ],
  TOO_MANY_PASSKEYS: [
    409,
    '通行密钥最多 20 个，请先移除不用的',
    'An account has at most 20 passkeys. Remove one that is not used.',
  ],
  STEP_UP_REQUIRED: [406, '请先验证您的身份', 'Please confirm first that it is you.'],
  QR_INVALID: [406, '二维码已失效，请刷新后重新扫码', 'This QR code no longer works. Get a new one and scan it.'],
  CERT_CHALLENGE_INVALID: [
    406,
    '本次登录已失效，请重新选择证书登录',
    'This sign-in is no longer valid. Choose your certificate again.',
  ],
  CERT_SIGNATURE_INVALID: [
    406,
    '证书签名未通过校验。请重新登录；如仍失败，请联系管理员',
    'The signature of the certificate could not be verified. Try again; if that fails, ask your administrator.',
  ],
  CERT_UNREADABLE: [
    406,
    '无法读取该证书，请选择 PEM 或 DER 格式、使用 RSA、ECC 或 SM2 密钥的证书',
    'This certificate cannot be read. Choose one in PEM or DER, with an RSA, EC or SM2 key.',
  ],
  CERT_NOT_TRUSTED: [
    406,
    '所属单位不信任该证书的颁发机构。请换一张证书，或联系管理员',
    'Your organisation does not trust the issuer of this certificate. Choose another one, or ask your administrator.',
  ],
  CERT_EXPIRED: [
    406,
    '证书已过期或尚未生效，请换一张证书，或向颁发机构申请新证书',
    'This certificate has expired or is not valid yet. Choose another one, or get a new one from its issuer.',
  ],
  CERT_NOT_SUITABLE: [
    406,
    '该证书不能用于登录（用途或算法不符）。请换一张证书，或联系管理员',
    'This certificate is not made for signing in (its usage or algorithm). Choose another one, or ask your ' +
      'administrator.',
  ],
  CERT_REVOKED: [
    406,
    '证书已被吊销，请换一张证书，或联系管理员',
    'This certificate is revoked. Choose another one, or ask your administrator.',
  ],
  CERT_LIST_STALE: [
    406,
    '暂时无法确认证书是否被吊销（吊销列表缺失或过期）。请换一种方式登录，并告知管理员',
    'Whether this certificate is revoked cannot be verified now: the revocation list is missing or out of date. Sign ' +
      'in another way, and tell your administrator.',
  ],
  CERT_NOT_KNOWN: [
    406,
    '没有与该证书对应的账号。请用其他方式登录并在个人信息中绑定证书，或联系管理员',
    'There is no account for this certificate. Sign in another way and bind it in your personal information, or ask ' +
      'your administrator.',
  ],
  CERT_BOUND_ELSEWHERE: [
    406,
    '该证书已绑定其他账号，请先解除原绑定',
    'This certificate is bound to another account. End that first.',
  ],
  CERT_BINDINGS_MAX: [
    406,
    '每个账号最多绑定 {limit} 张证书，请先解除不用的',
    'An account can have at most {limit} bound certificates. End one first.',
  ],
  CERT_NOT_AUTHORITY: [
    406,
    '这不是可用的 CA 证书：须有 CA 标志、在有效期内，并使用 RSA（2048 位以上）、ECC 或 SM2 密钥',
    'This is not a usable CA certificate: it needs the CA flag, a time of validity that has not passed, and an RSA ' +
      '(2048 bits or more), EC or SM2 key.',
  ],
  CERT_AUTHORITY_KNOWN: [406, '该 CA 证书已在列表中', 'This CA certificate is in the list already.'],
  CERT_AUTHORITIES_MAX: [
    406,
    'CA 证书最多 {limit} 张，请先删除不用的',
    'There can be at most {limit} CA certificates. Remove one first.',
  ],
  CERT_LIST_INVALID: [
    406,
    '无法使用该吊销列表：须为完整的 CRL（DER 或 PEM），并由此 CA 签发',
    'This revocation list cannot be used: it must be a complete CRL in DER or PEM, signed by this authority.',
  ],
  CERT_LIST_OLDER: [
    406,
    '该吊销列表比现有的更旧，请上传最新的列表',
    'This revocation list is older than the one that is there. Upload the newest one.',
  ],
  CERT_ADDRESS_REFUSED: [
    406,
    '不能使用地址 {host}：须以 http:// 或 https:// 开头，内网地址须由运维人员登记（RMEET_CERTIFICATE_HOSTS）',
    'The address {host} cannot be used: it must begin with http:// or https://, and hosts inside the network must be ' +
      'listed by the operator (RMEET_CERTIFICATE_HOSTS).',
  ],
  SSO_UNKNOWN: [
    406,
    '该登录方式已停用，请返回登录页换一种方式',
    'This way to sign in is no longer offered. Go back and choose another one.',
  ],
  SSO_EXPIRED: [
    406,
    '本次登录已失效，请返回登录页重新开始',
    'This sign-in is no longer valid. Go back and start again.',
  ],
  SSO_UNREACHABLE: [
    406,
    '暂时无法连接“{name}”，请稍后重试或换一种方式登录',
    '{name} cannot be reached now. Try again later, or sign in another way.',
  ],
  SSO_REJECTED: [
    406,
    '“{name}”返回的信息未通过校验。请重新登录；如仍失败，请联系管理员',
    'What {name} sent could not be verified. Sign in again; if that fails, ask your administrator.',
  ],
  SSO_SETUP_WRONG: [
    406,
    '“{name}”拒绝了本系统的请求（{reason}）。请联系管理员检查单点登录的配置',
    '{name} refuses the requests of this product ({reason}). Ask your administrator to check the settings.',
  ],
  SSO_NOT_MEMBER: [
    406,
    '您不是“{name}”所属单位的成员，或不在应用的可见范围内。请换用单位账号登录，或联系管理员',
    'You are not a member of the organisation at {name}, or may not use its application. Sign in with the account of ' +
      'your organisation, or ask your administrator.',
  ],
  SSO_NOT_KNOWN: [
    406,
    '您在“{name}”的身份（{who}）尚未关联账号。请先用其他方式登录并在个人信息中关联，或请管理员为您开通',
    'Your identity at {name} ({who}) is not linked to an account. Sign in another way and link it in your personal ' +
      'information, or ask your administrator for an account.',
  ],
  SSO_MAIL_REFUSED: [
    406,
    '所属单位只接受指定域名且已验证的邮箱。请在“{name}”验证邮箱，或联系管理员',
    'Your organisation admits verified mail addresses of its own domains only. Verify yours at {name}, or ask your ' +
      'administrator.',
  ],
  SSO_ACCOUNT_TAKEN: [
    406,
    '账号“{account}”已被使用。如为您本人的账号，请先用其他方式登录并在个人信息中关联，否则请联系管理员',
    'There already is an account {account}. If it is yours, sign in another way and link it in your personal ' +
      'information; otherwise ask your administrator.',
  ],
  SSO_LINKED_ELSEWHERE: [
    406,
    '该身份已关联其他账号，或您的账号已关联“{name}”的另一身份，请先解除原关联',
    'This identity is linked to another account, or your account to another identity at {name}. Unlink that first.',
  ],
  SSO_ONLY_WAY: [
    406,
    '这是您唯一的登录方式。请先设置密码，再解除关联',
    'This is your only way to sign in. Set a password before you unlink it.',
  ],
  SSO_LOGOUT_INVALID: [400, '退出请求未通过校验', 'The logout token is not valid.'],
  SSO_ADDRESS_REFUSED: [
    406,
    '不能使用地址 {host}：内网地址须由运维人员登记（RMEET_SSO_HOSTS），其他地址须使用 https',
    'The address {host} cannot be used: hosts inside the network must be listed by the operator (RMEET_SSO_HOSTS), ' +
      'all others need https.',
  ],
  SSO_METADATA_UNREACHABLE: [
    406,
    '无法读取元数据：{reason}。请检查地址，或下载后粘贴其内容',
    'The metadata cannot be read: {reason}. Check the address, or paste the content.',
  ],
  SSO_METADATA_INVALID: [
    406,
    '这不是 SAML 2.0 身份提供方的元数据：{reason}',
    'This is no metadata of a SAML 2.0 identity provider: {reason}.',
  ],
  SSO_SECRET_REQUIRED: [406, '请填写客户端密钥', 'Enter the client secret.'],
  SSO_PROVIDERS_MAX: [
    406,
    '身份提供方最多 {limit} 个，请先删除不用的',
    'There can be at most {limit} identity providers. Remove one first.',
  ],

  // setup
  SETUP_DONE: [406, '系统已完成初始设置，请直接登录', 'This installation is already set up. Please sign in.'],
  SETUP_LINK_INVALID: [
    406,
    '设置链接无效或已过期。请使用最近一次启动时输出的链接，也可在数据目录的 setup-link 文件中找到',
    'This setup link is not valid, or Rmeet has been restarted since. Use the link printed at the last start; it ' +
      'is also in the file setup-link in the data folder.',
  ],
  MAIL_NOT_CONFIGURED: [
    406,
    '尚未配置邮件服务器，请设置 RMEET_SMTP_URL 和 RMEET_MAIL_FROM 后重新启动 Rmeet',
    'No mail server is configured. Set RMEET_SMTP_URL and RMEET_MAIL_FROM, then restart Rmeet.',
  ],

  // users, operators
  ACCOUNT_TAKEN: [
    406,
    '账号 {account} 已被使用，请换一个',
    'The account name {account} is taken. Please choose another.',
  ],
  QUOTA_USERS: [
    406,
    '用户数已达上限（{limit}），请联系平台服务方',
    'Your organisation has reached its limit of {limit} users. Please ask the platform operator.',
  ],
  INVITATIONS_UNAVAILABLE: [
    406,
    '暂时无法发送邀请邮件：尚未配置邮件服务器或访问地址。请改用初始密码，或联系平台服务方',
    'Invitations cannot be sent, because the server has no mail server or no public address yet. Use a first ' +
      'password instead, or ask the platform operator.',
  ],
  ACCOUNT_WITHOUT_MAIL: [
    406,
    '该账号没有邮箱，无法发送邀请，请先填写邮箱',
    'The account has no mail address to send an invitation to. Please enter one first.',
  ],
  NOT_INVITABLE: [
    406,
    '该账号已设置密码或已停用，无需邀请',
    'The account already has a password or is disabled, so it cannot be invited.',
  ],
  INVITATION_INVALID: [
    406,
    '邀请链接已失效：可能已使用、已过期或已重新发送。请使用最新邮件中的链接，或联系管理员',
    'This invitation no longer works: it was used, has expired, or a newer one was sent. Use the link in the newest ' +
      'mail, or ask your administrator.',
  ],
  TASK_STARTED: [406, '该任务已开始或已取消，请刷新', 'This has been started or cancelled already. Reload the page.'],
  PASSWORDS_TAKEN: [
    406,
    '初始密码表只能下载一次，已被下载或已过期。可逐个重置密码',
    'The list of first passwords can be downloaded once, and was downloaded or has expired. You can reset passwords ' +
      'one by one.',
  ],
  TABLE_UNREADABLE: [
    406,
    '文件无法识别，请使用 Excel（xlsx）或 CSV 表格',
    'The file cannot be read. Use an Excel workbook (xlsx) or CSV.',
  ],
  LAST_ADMIN: [406, '至少要保留一名启用的管理员', 'One enabled administrator must remain.'],
  OWN_ACCOUNT: [406, '不能对自己的账号执行此操作', 'You cannot do this to your own account.'],
  PACKAGE_SOURCE_REQUIRED: [
    406,
    '请上传安装包，或填写下载链接，两者选其一',
    'Upload a package or enter a link, one of the two.',
  ],
  PACKAGE_LINK_ONLY: [
    406,
    'iOS 客户端只能填写应用商店链接，请填写链接',
    'Packages for iOS come from a store. Enter the link instead of a file.',
  ],
  PACKAGE_KIND_WRONG: [
    406,
    '文件 {name} 不是该类型的安装包，请选择 {endings} 文件',
    '{name} is not a package of this type. Choose a file that ends in {endings}.',
  ],
  PACKAGE_VERSION_TAKEN: [
    409,
    '该类型的版本 {version} 已发布，请填写新的版本号，或先下架该版本',
    'Version {version} of this type is already published. Enter another version, or withdraw that one first.',
  ],
  PACKAGE_MINIMUM_ABOVE: [
    406,
    '最低版本不能高于版本 {version}，请修改',
    'The minimal version cannot be newer than version {version}. Change it.',
  ],
  PACKAGE_WITHDRAWN: [
    410,
    '该安装包已下架，请返回下载页获取最新版本',
    'This package was withdrawn. Go back to the downloads and get the newest version.',
  ],
  PACKAGE_PUBLISHED: [409, '该安装包仍在发布中，请先下架再删除', 'The package is still published. Withdraw it first.'],
  ROLLOUT_TENANT_UNKNOWN: [406, '所选租户不存在，请重新选择', 'A chosen tenant does not exist. Please choose again.'],
  CHANGED_MEANWHILE: [
    409,
    '内容已被他人修改，请刷新后重新编辑',
    'Someone else has changed this. Reload it, then repeat your change.',
  ],

  // tenants
  TENANT_REQUIRED: [406, '请先选择租户', 'Please choose a tenant first.'],
  TENANT_NAME_TAKEN: [
    406,
    '租户名称 {name} 已被使用，请换一个',
    'The tenant name {name} is taken. Please choose another.',
  ],
  PICTURE_UNREADABLE: [
    406,
    '图片无法识别，请使用 PNG、JPEG 或 WebP 格式',
    'The picture cannot be read. Use PNG, JPEG or WebP.',
  ],

  // roles, permissions, menus
  ROLE_UNKNOWN: [
    406,
    '角色不存在或不适用于该账号，请重新选择',
    'A role does not exist or cannot be granted to these accounts. Please choose again.',
  ],
  ROLE_GRANTED: [406, '角色已授予 {accounts}，请先收回', 'The role is granted to {accounts}. Revoke it first.'],
  PERMISSION_UNKNOWN: [
    406,
    '权限不存在或不适用于该账号，请重新选择',
    'A permission does not exist or cannot be granted to these accounts. Please choose again.',
  ],
  PERMISSION_GRANTED: [406, '该项已授予：{names}，请先收回', 'This is granted to {names}. Revoke it first.'],
  NOT_GRANTABLE: [406, '权限 {names} 不能授予此类角色', '{names} cannot be granted to roles of this kind.'],
  NAME_TAKEN: [406, '名称 {name} 已被使用，请换一个', 'The name {name} is taken. Please choose another.'],
  CODE_TAKEN: [
    406,
    '权限编码 {code} 已被使用，请换一个',
    'The permission code {code} is taken. Please choose another.',
  ],
  PARENT_UNFIT: [
    406,
    '不能放在所选的上级下，请重新选择',
    'It cannot be placed under that parent. Please choose another.',
  ],
  HAS_CHILDREN: [406, '请先删除或移走下级项', 'Delete or move its children first.'],
  BUILT_IN: [406, '系统内置项不能这样修改', 'This is built in and cannot be changed in this way.'],

  // guests
  GUEST_LINK_INVALID: [
    406,
    '访客链接已失效，请联系会议主持人',
    'This guest link no longer works. Please ask the host of the meeting.',
  ],
  HOST_KEY_INVALID: [
    406,
    '主持人密钥无效或已过期，请重新获取后再开始会议',
    'This host key is not valid or has expired. Get a new one, then start the meeting again.',
  ],

  // meetings
  MEETING_CONFLICT: [
    409,
    '会议已被他人修改，请核对最新内容后再保存',
    'Someone else has changed this meeting. Check the latest version, then save again.',
  ],
  MEETING_RUNNING: [
    406,
    '会议进行中，不能执行此操作，请先结束会议，或在会议结束后再试',
    'This is not possible while the meeting is running. End it first, or wait until it is over.',
  ],
  MEETING_IN_PAST: [406, '开始时间已过，请选择将来的时间', 'The start time has passed. Choose a later time.'],
  PARTICIPANT_UNKNOWN: [
    406,
    '参会人不存在或不在本单位，请重新选择',
    'A participant does not exist in your organisation. Please choose again.',
  ],
  PASSWORD_OR_WAITING_ROOM: [406, '请设置会议密码或开启等候室', 'Set a meeting password or turn on the waiting room.'],

  ROOM_REQUIRED: [406, '本地会议需要会议室，请至少选择一间', 'A local meeting needs a room. Choose at least one.'],
  PHONE_PARTY_REQUIRED: [
    406,
    '电话会议至少需要一个电话号码，请添加',
    'A telephone meeting needs a number to call. Add at least one.',
  ],
  LOCAL_WITHOUT_CONFERENCE: [
    406,
    '本地会议仅在会议室内进行，请去掉密码、等候室、终端和电话参会人',
    'A local meeting takes place only in its rooms. Remove password, waiting room, terminals and telephone numbers.',
  ],
  MEETING_IS_LOCAL: [
    406,
    '这是本地会议，请到会议室参加',
    'This meeting takes place only in its room. Please go there.',
  ],
  TERMINAL_UNKNOWN: [
    406,
    '终端不存在或已停用，请重新选择',
    'A terminal does not exist or is disabled. Please choose again.',
  ],
  TERMINALS_VIDEO_ONLY: [
    406,
    '只有视频会议可以呼叫会议室终端，请预约视频会议或去掉终端',
    'Only video meetings call room terminals. Book a video meeting, or remove them.',
  ],
  E2EE_UNSUPPORTED: [
    406,
    '端到端加密仅适用于网络会议和视频会议，且不能呼叫会议室终端或电话参会人，也不能录制或直播。请关闭端到端加密，或去掉这些内容',
    'End-to-end encryption is for network and video meetings only. It excludes room terminals, telephone ' +
      'participants, recording and live broadcast. Turn it off, or remove these.',
  ],
  VIP_NOT_ALLOWED: [
    406,
    '您没有预约重要会议的权限，请取消该选项或联系管理员',
    'You may not book important meetings. Turn that off, or ask your administrator.',
  ],
  FILE_TOO_LARGE: [
    406,
    '文件 {name} 超过 {megabytes} MB，请压缩后重试',
    '{name} is larger than {megabytes} MB. Make it smaller and try again.',
  ],
  FILE_EMPTY: [406, '文件 {name} 是空的，请选择其他文件', '{name} is empty. Choose another file.'],
  FILE_KIND_REFUSED: [
    406,
    '单位不允许发送这类文件：{name}',
    'Your organisation does not allow files of this kind: {name}.',
  ],
  FILES_TOO_MANY: [406, '文件最多 {limit} 个，请去掉一些', 'At most {limit} files are possible. Remove some.'],
  FILE_UNKNOWN: [
    406,
    '会议文件不存在或已被删除，请刷新后重试',
    'A file of the meeting no longer exists. Reload the meeting.',
  ],
  FOLDER_EXISTS: [
    406,
    '此处已有文件夹“{name}”，请换一个名称',
    'There is already a folder {name} here. Choose another name.',
  ],
  FOLDERS_TOO_MANY: [
    406,
    '一个会议最多 {limit} 个文件夹，请先删除一些',
    'A meeting can have {limit} folders. Delete some first.',
  ],
  FOLDER_TOO_DEEP: [
    406,
    '文件夹最多 {limit} 层，请放到上一层',
    'Folders can be {limit} levels deep. Put it into an outer folder.',
  ],
  FOLDER_EMPTY: [406, '文件夹中没有可下载的文件', 'There is no file in this folder that can be downloaded.'],
  MEETING_FILES_FULL: [
    406,
    '一个会议最多 {limit} 个文件，请先删除一些',
    'A meeting can have {limit} files. Delete some first.',
  ],
  MEETING_FILE_SPACE_FULL: [
    406,
    '单位的会议文件空间不足（共 {megabytes} MB），请删除一些文件或联系管理员',
    'The space for meeting files of your organisation ({megabytes} MB) is used up. Delete files, or ask your ' +
      'administrator.',
  ],
  UPLOADS_TOO_MANY: [
    406,
    '您有 {limit} 个文件尚未传完，请先续传或取消一些',
    '{limit} of your uploads are not complete. Continue or cancel some first.',
  ],
  UPLOAD_OFFSET: [
    409,
    '上传位置不一致，请刷新页面后续传',
    'The upload continues at another place. Reload the page and continue it.',
  ],
  UPLOAD_VERSION: [
    412,
    '不支持的上传协议版本，请使用 tus 1.0.0',
    'This version of the upload protocol is not supported. Use tus 1.0.0.',
  ],
  UPLOAD_BROKEN: [
    406,
    '文件 {name} 分成了过多片段，请重新上传',
    '{name} arrived in too many pieces. Upload it once more.',
  ],
  FILE_BEING_SCANNED: [
    406,
    '文件 {name} 正在进行病毒扫描，请稍后重试',
    '{name} is being scanned for viruses. Try again shortly.',
  ],
  FILE_INFECTED: [
    406,
    '文件 {name} 含有病毒，不能下载，请删除并上传干净的文件',
    '{name} contains a virus and cannot be downloaded. Delete it, and upload a clean file.',
  ],
  FILE_NOT_SCANNED: [
    406,
    '文件 {name} 过大，病毒扫描程序无法检查，因此不能下载。请拆分后上传或联系管理员',
    '{name} is too large for the virus scanner, so it cannot be downloaded. Upload it in parts, or ask your ' +
      'administrator.',
  ],
  FILE_NOT_SHOWN: [406, '文件 {name} 不能预览，请下载后查看', '{name} cannot be shown here. Download it to read it.'],
  PREVIEW_EXPIRED: [406, '预览已过期，请重新打开', 'The preview has expired. Open it once more.'],
  GROUPS_TOO_MANY: [
    406,
    '人员分组最多 {limit} 个，请先删除一些',
    'You can have at most {limit} groups. Delete one first.',
  ],
  INVITEES_FULL: [
    406,
    '一个会议最多邀请 {limit} 人，请减少邀请的人数',
    'At most {limit} people can be invited to a meeting. Please invite fewer.',
  ],
  QUOTA_DURATION: [
    406,
    '会议时长超过单位上限（{minutes} 分钟），请缩短',
    'The meeting is longer than your organisation allows ({minutes} minutes). Please make it shorter.',
  ],

  // series
  RECURRENCE_INVALID: [
    406,
    '重复规则有误或不受支持，请重新选择',
    'The recurrence rule is wrong or not supported. Please choose again.',
  ],
  SERIES_ENDLESS: [
    406,
    '请设置重复的结束日期或次数',
    'Choose when the series ends: on a date, or after a number of meetings.',
  ],
  SERIES_TOO_LONG: [
    406,
    '系列会议最多 {count} 场，且须在 {years} 年之内，请缩短',
    'A series can have at most {count} meetings within {years} years. Please make it shorter.',
  ],
  SERIES_EMPTY: [406, '该重复规则下没有会议日期，请重新选择', 'This rule produces no meetings. Please choose another.'],
  SERIES_OVERLAPS: [
    406,
    '系列中的会议时间相互重叠，请缩短时长或降低频率',
    'The meetings of the series overlap. Make them shorter or less frequent.',
  ],
  SERIES_RULE_NEEDED: [
    406,
    '按现有的重复规则，各场会议无法一起这样移动，请打开会议重新选择重复规则',
    'The rule of the series does not allow this move for all its meetings. Open the meeting and choose a new rule.',
  ],
  SERIES_ROOMS_TAKEN: [
    409,
    '有 {count} 场会议的会议室已被预订（{dates}），请去掉这些日期，或改选会议室或时间',
    'Rooms are taken for {count} of the meetings ({dates}). Skip those dates, or choose another room or time.',
  ],

  // media resources, approval
  NO_RESOURCES: [
    406,
    '您尚未分配会议资源，请联系管理员或服务台申请开通！',
    'You have not yet been assigned meeting resources, please contact ' +
      'the administrator or service desk to apply for activation!',
  ],
  RESOURCE_UNKNOWN: [
    406,
    '会议资源不存在、已停用或未分配给您，请重新选择',
    'A media resource does not exist, is disabled or is not assigned to you. Please choose again.',
  ],
  RESOURCE_FULL: [
    409,
    '会议资源 {resource} 在该时段仅剩 {ports} 个端口，请减少参会人，或改选资源或时间',
    '{resource} has only {ports} ports left at that time. Invite fewer, or choose another resource or time.',
  ],
  RESOURCE_HOURS: [
    409,
    '会议资源 {resource} 当月仅剩 {minutes} 分钟，请缩短会议，或改选资源或时间',
    '{resource} has only {minutes} minutes left that month. Make ' +
      'the meeting shorter, or choose another resource or time.',
  ],
  RESOURCE_BOOKED: [
    406,
    '会议资源上还有 {count} 场预订，请先改期或取消',
    'There are {count} meetings booked on the resource. Move or cancel them first.',
  ],
  RESOURCE_ASSIGNEE_UNKNOWN: [
    406,
    '所分配的人员不存在或不在本单位，请重新选择',
    'A user or department it is assigned to does not exist in your organisation. Please choose again.',
  ],
  ANNOUNCEMENT_EMPTY: [
    406,
    '公告内容为空，请填写正文（HTML 标签会被去除）',
    'The announcement has no text. Write its text; HTML tags are removed.',
  ],
  ANNOUNCEMENT_LINK_REFUSED: [
    406,
    '链接须以 http、https、mailto 或 tel 开头，或为本系统内的路径（以 / 开头），请修改',
    'The link must begin with http, https, mailto or tel, or be a path of this server that begins with /.',
  ],
  ANNOUNCEMENT_TIMES: [
    406,
    '结束时间须晚于开始时间和当前时间，请修改',
    'The end must be later than the start, and later than now. Please change the times.',
  ],
  ANNOUNCEMENT_AUDIENCE_UNKNOWN: [
    406,
    '所选部门、角色或人员不存在或不在本单位，请重新选择',
    'A chosen department, role or person does not exist in your organisation. Please choose again.',
  ],
  ANNOUNCEMENT_PUBLISHED: [409, '公告已发布，请先撤回', 'The announcement is published. Withdraw it first.'],
  ANNOUNCEMENT_NOT_PUBLISHED: [
    409,
    '公告尚未发布或已撤回，请刷新后查看',
    'The announcement is not published. Reload the list to see its state.',
  ],
  START_APP_ADDRESS_REFUSED: [
    406,
    '应用地址须以 https:// 开头，或为本系统内的路径（以 / 开头），请修改',
    'The address must begin with https://, or be a path of this server that begins with /. Please change it.',
  ],
  START_APP_ROLE_UNKNOWN: [406, '所选角色不存在，请重新选择', 'A chosen role does not exist. Please choose again.'],
  START_APPS_FULL: [
    406,
    '首页应用最多 {limit} 个，请先移除不再使用的应用',
    'There are {limit} apps already. Remove one that is no longer used.',
  ],
  APPROVAL_DECIDED: [
    409,
    '该会议已审批、已取消或已过期，请刷新列表',
    'This meeting is no longer waiting for approval. Reload the list.',
  ],

  // rooms, terminals
  ROOM_UNKNOWN: [
    406,
    '会议室不存在或已停用，请重新选择',
    'A room does not exist or can no longer be booked. Please choose again.',
  ],
  ROOM_TAKEN: [
    409,
    '会议室 {room} 在该时段已被 {host} 预订，请改选会议室或时间',
    '{host} has booked {room} for that time. Choose another room or time.',
  ],
  ROOM_CLOSED: [
    406,
    '会议室 {room} 仅在 {hours} 开放，请改选会议室或时间',
    '{room} is open {hours} only. Choose another room or time.',
  ],
  ROOM_CLOSES: [
    406,
    '会议室 {room} 仅在 {hours} 开放，无法延长到该时间，请缩短延长时间，或先释放该会议室',
    '{room} is open {hours} only, so the meeting cannot be extended ' +
      'that far. Choose less time, or release the room first.',
  ],
  ROOM_NOT_BOOKED: [406, '该会议未预订此会议室，或已释放', 'The meeting has not booked this room, or has released it.'],
  CHECK_IN_EARLY: [
    406,
    '签到在会议开始前 {minutes} 分钟开放，请稍后再试',
    'Check-in opens {minutes} minutes before the start. Please try again then.',
  ],
  ROOM_BOOKED: [
    406,
    '会议室还有 {count} 场预订，请先改期或取消',
    'The room is still booked {count} times. Move or cancel those meetings first.',
  ],
  BUILDING_UNKNOWN: [406, '楼宇不存在，请重新选择', 'The building does not exist. Please choose again.'],
  BUILDING_NOT_EMPTY: [
    406,
    '楼宇内还有 {count} 间会议室，请先移走或删除',
    'There are {count} rooms in the building. Move or delete them first.',
  ],
  TERMINAL_ADDRESS_TAKEN: [
    406,
    '地址 {address} 已登记在终端 {name} 上，请核对',
    'The address {address} is already registered for {name}. Please check it.',
  ],
  SHEET_UNREADABLE: [
    406,
    '文件无法识别，请使用导出的 Excel（xlsx）表格',
    'The file cannot be read. Use an Excel workbook (xlsx) like the exported one.',
  ],
  SHEET_TOO_LONG: [
    406,
    '表格超过 {rows} 行，请分次导入',
    'The sheet has more than {rows} rows. Please import it in parts.',
  ],

  // conferences
  MEETING_NUMBER_UNKNOWN: [
    406,
    '会议号不存在，请核对后重新输入',
    'There is no meeting with this number. Check it and try again.',
  ],
  MEETING_PASSWORD_WRONG: [406, '会议密码错误，请重新输入', 'The meeting password is wrong. Please try again.'],
  MEETING_PASSWORD_REQUIRED: [406, '请输入会议密码', 'Please enter the meeting password.'],
  MEETING_NOT_STARTED: [
    406,
    '会议尚未开始，开始时间为 {startTime}',
    'The meeting has not started yet. It starts at {startTime}.',
  ],
  MEETING_EARLY: [
    406,
    '会议将于 {startTime} 开始，确认后方可提前进入',
    'The meeting starts at {startTime}. Confirm that you want to enter before then.',
  ],
  MEETING_ENDED: [
    406,
    '会议已结束，如需再次开会请重新预约或联系主持人',
    'This meeting has ended. To meet again, book another or ask its host.',
  ],
  MEETING_NOT_APPROVED: [
    406,
    '会议尚未获批，请等待审批或联系主持人',
    'The meeting has not been approved. Wait for the approval, or ask its host.',
  ],
  FIXED_NUMBER_NOT_STARTED: [
    406,
    '{host} 尚未在此固定会议号上开会，请稍后再试',
    '{host} has not started a meeting on this number. Please try again later.',
  ],
  MEETING_CANCELLED: [406, '会议已取消，请联系主持人', 'This meeting has been cancelled. Please ask its host.'],
  MEETING_FULL: [
    406,
    '会议人数已满（{limit} 人），请联系主持人',
    'The meeting is full ({limit} people). Please ask its host.',
  ],
  QUOTA_TERMINALS: [
    406,
    '单位同时参会的终端数已达上限（{limit}），请稍后再试或联系会议管理员',
    'All {limit} places of the organisation are taken. Try later, or ask its meeting administrator.',
  ],
  E2EE_KEY_REQUIRED: [
    406,
    '此会议已端到端加密，请输入主持人提供的密钥。服务器没有密钥',
    'This meeting is end-to-end encrypted. Enter the key that its host gives you; the server does not have it.',
  ],
  NAME_REQUIRED: [406, '请输入您的姓名', 'Please enter your name.'],
  CONFERENCE_OVER: [406, '会议已结束', 'This conference is over.'],
  TERMINAL_GONE: [401, '您已不在会议中，请重新加入', 'You are no longer in this meeting. Please join again.'],
  TERMINAL_REMOVED: [406, '您已被移出会议', 'You have been removed from this meeting.'],
  MEDIA_UNAVAILABLE: [
    503,
    '媒体服务暂不可用，请稍后重试',
    'The media service is not available right now. Please try again shortly.',
  ],

  // conference control
  CONFERENCE_LOCKED: [406, '会议已锁定，请联系主持人', 'The meeting is locked. Please ask its host.'],
  TERMINAL_ABSENT: [
    406,
    '终端 {names} 不在会议中，请刷新列表后重试',
    '{names} is not in the conference. Check the list, then try again.',
  ],
  ENGINE_UNKNOWN: [406, '不支持会议资源 {res}，请使用 rz', 'There is no meeting resource {res}. Use rz.'],
  VERB_IMPOSSIBLE: [406, '无法执行：{reason}', 'This cannot be done: {reason}.'],
  UNDO_IMPOSSIBLE: [406, '该操作无法撤销，或已被撤销', 'This cannot be undone, or has already been undone.'],
  SELF_UNMUTE_FORBIDDEN: [
    406,
    '主席已将您静音，请举手申请发言',
    'The chair has muted you. Raise your hand to ask for the floor.',
  ],
  CHAT_OFF: [406, '主席已关闭聊天', 'The chair has turned the chat off.'],
  CHAT_HOSTS_ONLY: [
    406,
    '当前只能私聊主持人、主席或联席主席',
    'You may only write to a host, the chair or a co-chair now.',
  ],
  RECORD_NOT_POSSIBLE: [
    406,
    '当前录制状态不支持此操作，请刷新后重试',
    'The recording is not in a state for this. Reload and try again.',
  ],
  RECORDING_OFF: [
    406,
    '本单位已关闭录制功能，请联系管理员',
    'Your organisation has turned recording off. Ask an administrator.',
  ],
  RECORDINGS_FULL: [
    406,
    '本单位的录制空间已满，请先删除一些录制，再清空回收站',
    "Your organisation's space for recordings is full. Delete some recordings, and empty the bin.",
  ],
  RECORDING_UNAVAILABLE: [
    503,
    '暂时没有可用的录制服务，请稍后重试',
    'No recorder is available now. Try again in a moment.',
  ],
  RECORDING_RUNNING: [406, '录制尚未结束，请停止录制后再操作', 'The recording is still running. Stop it first.'],
  RECORDING_EMPTY: [406, '该录制没有可播放的内容', 'This recording has nothing to play.'],
  RECORDING_DOWNLOAD_OFF: [406, '该录制不允许下载，请联系主持人', 'This recording cannot be saved. Ask its host.'],
  EXPORT_FAILED: [
    406,
    'MP4 文件生成失败，请稍后重试；如仍失败，请联系分享者',
    'The MP4 file could not be made. Try again later; if that fails too, ask the person who shared it.',
  ],
  RECORDING_ADDRESS_EXPIRED: [404, '播放地址已失效，请刷新页面', 'This address no longer works. Reload the page.'],
  SHARE_ENDED: [
    404,
    '该分享链接无效、已过期或观看次数已用完，请向分享者索取新链接',
    'This link is wrong, has ended, or was opened as often as it may be. Ask for a new one.',
  ],
  SHARE_PASSWORD: [403, '观看密码不正确，请重新输入', 'The password is wrong. Please enter it again.'],
  SHARE_NAME: [406, '请输入您的姓名后观看', 'Please enter your name to watch.'],
  BROADCAST_NOT_RUNNING: [
    406,
    '会议尚未开始，请先进入会议再开始直播',
    'The meeting is not running. Enter it first, then start the broadcast.',
  ],
  INGEST_WAITING: [
    406,
    '尚未收到推流，请先在推流软件中开始推流',
    'No stream arrives yet. Start your encoder first, then start the broadcast.',
  ],
  MEETING_WITHOUT_CONFERENCE: [
    406,
    '这是直播推流，没有会议可进入，请打开观看页',
    'This is a broadcast without a conference. Open its watch page instead.',
  ],
  PLAY_ADDRESS_REQUIRED: [406, '请填写拉流地址', 'Enter the address that the stream is taken from.'],
  PLAY_ADDRESS_REFUSED: [
    406,
    '不能从该地址拉流：{host}，请填写流媒体服务的公网地址',
    'No stream can be taken from {host}. Enter the public address of a streaming service.',
  ],
  BROADCAST_PASSWORD_REQUIRED: [406, '请设置观看密码', 'Set a password for the viewers.'],
  PUSH_KEY_REQUIRED: [406, '请填写“{name}”的签名密钥', 'Enter the signing key of "{name}".'],
  PUSH_ADDRESS_REFUSED: [
    406,
    '不能推流到该地址：{host}，请填写流媒体服务的公网地址',
    'Nothing can be pushed to {host}. Enter the public address of a streaming service.',
  ],
  WATCH_SIGN_IN: [
    403,
    '该直播仅对本单位开放，请登录后观看',
    'This broadcast is open to the organisation only. Sign in to watch.',
  ],
  WATCH_PASSWORD: [403, '观看密码不正确，请重新输入', 'The password is wrong. Please enter it again.'],
  WATCH_NAME: [406, '请输入您的姓名', 'Please enter your name.'],
  WATCH_NOT_ALLOWED: [
    403,
    '您不在该直播的观看名单中，请联系主持人',
    'You are not on the list of viewers. Ask the host.',
  ],
  WATCH_ENDED: [404, '观看已失效，请刷新页面', 'This view has ended. Reload the page.'],
  WATCH_MUTED: [406, '您已被禁言', 'A moderator has stopped you from writing.'],
  WATCH_CHAT_OFF: [406, '主持人已关闭互动', 'The host has turned this off.'],
  WATCH_SLOW: [429, '发送过快，请 {seconds} 秒后再发', 'Please wait {seconds} s before your next message.'],
  DOCUMENT_READ_ONLY: [
    403,
    '您只能阅读此文档，请向文档的创建者申请编辑权限',
    'You may only read this document. Ask its owner for the right to edit it.',
  ],
  DOCUMENT_FULL: [
    406,
    '文档已达到大小上限，最近的修改未保存。请删去一些内容，或将其拆分为多个文档',
    'The document is too large, and the last change was not saved. Remove something, or split it into several.',
  ],
  DOCUMENT_CHANGE_REFUSED: [
    400,
    '无法保存最近的修改，请复制您的文字后刷新页面',
    'The last change could not be saved. Copy your text, then reload the page.',
  ],
  DOCUMENT_PICTURES_FULL: [
    406,
    '每个文档最多 {limit} 张图片，请先删去一些',
    'A document holds {limit} pictures at most. Remove some first.',
  ],
  DOCUMENT_PERSON_UNKNOWN: [
    406,
    '所选人员中有人已不在本单位，请重新选择',
    'One of the chosen people no longer belongs to the organisation. Choose again.',
  ],
  DOCUMENT_MAIL_OFF: [
    406,
    '系统尚未配置邮件服务器，请下载 PDF 后自行发送，或联系管理员',
    'This server cannot send mail yet. Download the PDF and send it yourself, or ask your administrator.',
  ],
  DOCUMENT_NO_ADDRESS: [
    406,
    '所选人员都没有邮箱地址，请选择其他人员',
    'None of the chosen people has a mail address. Choose others.',
  ],
  CHAT_FILES_OFF: [406, '主席已关闭在聊天中发送文件', 'The chair has turned off files in the chat.'],
  CHAT_FILES_BARRED: [406, '本会议不能在聊天中发送文件', 'Files cannot be sent in the chat of this meeting.'],
  CHAT_FILES_FULL: [
    406,
    '本会议的聊天文件已达上限（{limit} 个或 {megabytes} MB），请先删除一些',
    'The chat of this meeting holds all the files it can ({limit}, or {megabytes} MB). Delete some first.',
  ],
  REPLY_UNKNOWN: [
    406,
    '所回复的消息不存在，请直接发送',
    'The message you reply to is not there for everyone who would get your reply. Send it as a new message.',
  ],
  REACTIONS_OFF: [406, '主席已关闭表情回应', 'The chair has turned reactions off.'],
  RENAME_OFF: [406, '主席已关闭自行改名', 'The chair does not allow people to change their own name.'],
  MESSAGE_SENT_ALREADY: [406, '您已给主席留言，请等候', 'You have already sent the chair a message. Please wait.'],
  ROOM_OR_PERSON_BUSY: [
    406,
    '无法延长：{names} 随后已有安排，请缩短延长时间',
    'It cannot be extended that far: {names} is busy afterwards. Choose less time.',
  ],
  DESK_LINK_INVALID: [
    406,
    '会控链接已失效，请联系会议主持人',
    'This link no longer works. Please ask the host of the meeting.',
  ],
  DESK_GONE: [
    401,
    '会控台已关闭，请联系会议主持人获取新链接',
    'This desk was closed. Please ask the host of the meeting for a new link.',
  ],
  WATCHERS_FULL: [
    406,
    '同时观看画面的会控台已满（{limit} 个），请先关闭其他会控台',
    'All {limit} places for desks with live pictures are taken. Close another desk first.',
  ],
  ZONE_UNKNOWN: [
    406,
    '没有媒体区域 {zone}，请从列表中选择',
    'There is no media zone {zone}. Choose one from the list.',
  ],
  MCU_UNKNOWN: [
    406,
    '会议所在区域没有媒体服务器 {mcu}，请从列表中选择',
    'The zone of the conference has no media server {mcu}. Choose one from the list.',
  ],
  ZONE_NOT_CURRENT: [
    406,
    '会议已不在区域 {zone}，请刷新拓扑后重试',
    'The conference is no longer in zone {zone}. Check the topology and try again.',
  ],
  ZONE_UNAVAILABLE: [
    503,
    '目标媒体服务器无法建立会议，会议仍在原处进行；请选择其他区域或服务器，或稍后重试',
    'The chosen media servers cannot host the conference. It ' +
      'continues where it is. Choose others, or try again shortly.',
  ],
  SEAT_UNKNOWN: [
    406,
    '布局 {model} 没有第 {seat} 号座位，请改选座位或布局',
    'The layout {model} has no seat {seat}. Choose another seat or layout.',
  ],
  POLLING_OFF: [406, '轮询尚未开始，请先开始轮询', 'Polling is not running. Start it first.'],
  POLLING_NOBODY: [
    406,
    '没有可轮询的终端：请让终端打开摄像头，或取消“仅轮询有视频的终端”',
    'There are no terminals to poll. Turn cameras on, or include terminals without video.',
  ],
  TIMER_OFF: [406, '当前没有计时，请先开始计时', 'No timer is running. Start one first.'],
  ROLL_CALL_OFF: [406, '点名尚未开始或已结束，请重新开始点名', 'No roll call is running. Start one first.'],
  VOTE_OPEN: [406, '上一个表决还在进行，请先结束它', 'Another vote is still open. Close it first.'],
  VOTE_CLOSED: [406, '表决已结束，您的选择未计入', 'This vote is closed; your choice was not counted.'],
  VOTE_OPTION_UNKNOWN: [406, '没有这个选项，请重新选择', 'There is no such option. Please choose again.'],
  VOTE_SECRET: [406, '不记名表决不公开各人的选择', 'In a secret vote, individual choices are not shown.'],
  SCENE_NAME_TAKEN: [
    406,
    '已有名为“{name}”的场景，请换一个名称',
    'There is a scene called “{name}” already. Choose another name.',
  ],
  SCENES_FULL: [
    406,
    '一个会议最多保存 {limit} 个场景，请先删除不用的',
    'A meeting can have at most {limit} scenes. Delete one first.',
  ],
  CALL_TARGET_UNKNOWN: [406, '被呼叫人不在邀请名单中，请刷新列表', 'That person is not invited. Check the list.'],

  // notices
  NOTICE_TEXT_UNKNOWN_FIELD: [
    406,
    '文本中的 {field} 不是可用的占位符，请改用列出的占位符',
    '{field} is not a field of notices. Use one from the list.',
  ],
  SMS_NOT_CONFIGURED: [
    406,
    '尚未配置短信网关，请先填写并保存',
    'No text message gateway is configured. Enter it and save it first.',
  ],
  SMS_FAILED: [
    406,
    '短信未发出（{reason}），请检查网关设置',
    'The text message was not sent ({reason}). Please check the gateway.',
  ],
  SMS_SECRET_NEEDED: [
    406,
    '网关地址已更换，请重新填写密钥',
    'The gateway is now another server. Please enter its secret again.',
  ],
  SMS_GATEWAY_FORBIDDEN: [
    406,
    '网关地址位于内部网络，请联系平台服务方开放',
    'The gateway is inside a private network. Please ask the platform operator to allow it.',
  ],

  PUSH_SERVICE_FORBIDDEN: [
    406,
    '此浏览器的推送服务位于内部网络，请联系平台服务方开放',
    'The push service of this browser is inside a private network. Please ask the platform operator to allow it.',
  ],

  // directories
  DIRECTORY_ADDRESS: [
    400,
    '此目录地址位于内部网络或未加密，须由平台服务方允许（RMEET_DIRECTORY_HOSTS）',
    'This address is inside a private network, or not encrypted. Please ask the platform operator to allow it ' +
      '(RMEET_DIRECTORY_HOSTS).',
  ],
  DIRECTORY_BUSY: [
    409,
    '此目录正在同步，请等待完成或先取消',
    'This directory is being synchronised. Wait until that is done, or cancel it.',
  ],
  SCIM_TOKENS: [
    409,
    '最多同时有两个令牌，请先删除不再使用的令牌',
    'There are two tokens already. Delete the one that is no longer used.',
  ],
  DIRECTORY_LINK: [
    409,
    '所选账号不能关联：管理员账号和已关联的账号除外，请刷新列表',
    'Accounts of administrators and accounts that are linked already cannot be linked. Reload the list.',
  ],

  // API clients
  API_CLIENT_ENDED: [409, '此 API 客户端已终止，请新建一个', 'This API client has ended. Please make a new one.'],
  API_CLIENT_HAS_KEY: [
    409,
    '此 API 客户端使用公钥认证，没有密钥可更换',
    'This API client signs with a key, so it has no secret. Change its public key instead.',
  ],
  PUBLIC_KEY_INVALID: [
    406,
    '公钥无法使用，请提供 RSA（不少于 2048 位）或 EC（P-256、P-384、P-521）公钥，格式为 PEM、JWK 或 JWK 集合',
    'This public key cannot be used. Give an RSA key of at least 2048 bits or an EC key (P-256, P-384, P-521) as ' +
      'PEM, JWK or JWK set, without its private part.',
  ],
  NOT_OFFERED: [
    409,
    '此 API 客户端不代表用户操作，无法授权',
    'This API client does not act for users, so there is nothing to allow.',
  ],

  WEBHOOK_ADDRESS_REFUSED: [
    406,
    '此地址不能接收事件：请使用 https，且不能指向内部网络，或请平台服务方将其主机列入允许范围',
    'Events cannot be sent to this address. Use https on the public internet, or ask the platform operator to allow ' +
      'its host.',
  ],
  WEBHOOKS_MOST: [406, '最多可有 {limit} 个 Webhook', 'There can be {limit} webhooks at most.'],

  // assistant
  ASSISTANT_ADDRESS_REFUSED: [
    406,
    '不能使用该地址：须为公网 https 地址，或由服务器运维人员在 RMEET_ASSISTANT_HOSTS 中允许该主机；外部页面必须在其中允许',
    'This address cannot be used. It needs https and a host on the public internet, or a host that the operator of ' +
      'this server lists in RMEET_ASSISTANT_HOSTS; outside pages must be listed there.',
  ],
  ASSISTANT_MODEL_MISSING: [406, '请填写语言模型的地址和名称', 'Enter the address and the name of the language model.'],
  ASSISTANT_PAGE_MISSING: [
    406,
    '请填写外部页面的地址，以及至少 16 个字符的签名密钥',
    'Enter the address of the outside page, and a signing secret of at least 16 characters.',
  ],
  ASSISTANT_DESK_MISSING: [
    406,
    '本单位尚未设置服务台邮箱，请直接联系管理员',
    'Your organisation has not set a mail address of its service desk. Contact an administrator directly.',
  ],
  ASSISTANT_MAIL_FAILED: [
    502,
    '邮件未能发送到服务台，请稍后重试或电话联系',
    'The mail to the service desk could not be sent. Try again later, or call the desk.',
  ],

  // downloads
  TICKET_INVALID: [
    403,
    '下载链接已失效，请重新下载',
    'This download link has been used or has expired. Please download again.',
  ],
} as const satisfies Record<string, readonly [number, string, string]>;

export type ErrorCode = keyof typeof table;
export const ERROR_CODES = Object.keys(table) as ErrorCode[];

export interface ErrorEntry {
  code: ErrorCode;
  httpStatus: number;
  zh: string;
  en: string;
}

/** Codes any route may return; routes list only additional ones. */
export const COMMON_ERRORS: readonly ErrorCode[] = [
  'INVALID_INPUT',
  'MALFORMED_BODY',
  'UNAUTHORIZED',
  'USER_LOGIN_ANOTHER_DEVICE',
  'CHANGE_PWD_LDAP',
  'FORBIDDEN',
  'NOT_FOUND',
  'METHOD_NOT_ALLOWED',
  'HOST_NOT_SERVED',
  'HOST_UNKNOWN',
  'REQUEST_TIMEOUT',
  'BODY_TOO_LARGE',
  'UNSUPPORTED_MEDIA_TYPE',
  'TOO_MANY_REQUESTS',
  'STEP_UP_REQUIRED',
  'SERVER_ERROR',
  'DATABASE_DAMAGED',
  'DISK_FULL',
  'SERVICE_BUSY',
  'TERMINAL_GONE',
  'DESK_GONE',
  'API_TOKEN_INVALID',
  'SCOPE_MISSING',
  'NETWORK_REFUSED',
];

export function errorEntry(code: ErrorCode): ErrorEntry {
  const [httpStatus, zh, en] = table[code];
  return { code, httpStatus, zh, en };
}

/** The sentence for a code, with its `{name}` placeholders filled; a missing parameter leaves the place empty. */
export function errorMessage(
  code: ErrorCode,
  locale: 'zh' | 'en',
  params: Record<string, string | number> = {},
): string {
  return errorEntry(code)[locale].replace(/\{(\w+)\}/g, (_, name: string) => String(params[name] ?? ''));
}
