/// Certificates for the tests: those of `authority` hold for a hundred years, or not, by their names.
enum TestCertificates {
    static let authority = """
        -----BEGIN CERTIFICATE-----
        MIIBpzCCAU2gAwIBAgIUH89g7jEL7XOYrP60rgFLz/nHpIwwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVVHJlbmR5IHRlc3QgYXV0aG9yaXR5MCAXDTI2MTEyNzE4MTU0
        NFoYDzIxMjYxMTAzMTgxNTQ0WjAgMR4wHAYDVQQDDBVUcmVuZHkgdGVzdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARLH6RRaKNESwfk0RDMGtKe
        pe7dIoW95XXk2zljG9PJhcqg8buz3kktDg4fjoqqw0gNJBd7AOAGSeneaVaww8oi
        o2MwYTAdBgNVHQ4EFgQU3oTZZ59N9HlErYSW103C+1NOg9MwHwYDVR0jBBgwFoAU
        3oTZZ59N9HlErYSW103C+1NOg9MwDwYDVR0TAQH/BAUwAwEB/zAOBgNVHQ8BAf8E
        BAMCAgQwCgYIKoZIzj0EAwIDSAAwRQIhAOCzrQCqaYRK1VnnwN05+mzRwlZyo9MH
        Ttr6lvqKEyyTAiAtqQ4tYwCzgiRqS9D0CKbJYH2RzR/7jBJ81D/UEBZb/Q==
        -----END CERTIFICATE-----
        """

    static let good = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASSgAwIBAgIBATAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
        MA8xDTALBgNVBAMMBGdvb2QwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARa1kAE
        b5DAcC05kx+wg5CMsERyLDbNKKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk2blS
        4M5PP0Z7sOt97a5ao14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEwHQYD
        VR0OBBYEFLEhFHw2kLDAAZko4mr3FtQz1fTlMB8GA1UdIwQYMBaAFN6E2WefTfR5
        RK2EltdNwvtTToPTMAoGCCqGSM49BAMCA0gAMEUCIA8WsLnBSAJrxO7Fa6ewWPXF
        DEmhO1T3K1GC2bIYm8rQAiEAkiKsL8wCHZiliPXcgZZxjmLVn6mZ5eQUQxVAdQtO
        CmQ=
        -----END CERTIFICATE-----
        """

    static let expired = """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASWgAwIBAgIBAjAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwHhcNMjAwMTAxMDAwMDAwWhcNMjEwMTAxMDAwMDAwWjAS
        MRAwDgYDVQQDDAdleHBpcmVkMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNeMFwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0G
        A1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X05TAfBgNVHSMEGDAWgBTehNlnn030
        eUSthJbXTcL7U06D0zAKBggqhkjOPQQDAgNJADBGAiEAtrBIY6sc1aNGXhAc88AS
        94COjCNn7kBeMwXW+Q5yMJUCIQCdhUvXOk2UCaVHaEaoOaodHlWGJQC8WZfcPTck
        gFsePQ==
        -----END CERTIFICATE-----
        """

    static let early = """
        -----BEGIN CERTIFICATE-----
        MIIBgDCCASegAwIBAgIBAzAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIhgPMjExOTAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAw
        MFowEDEOMAwGA1UEAwwFZWFybHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAARa
        1kAEb5DAcC05kx+wg5CMsERyLDbNKKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk
        2blS4M5PP0Z7sOt97a5ao14wXDAaBgNVHREEEzARgglsb2NhbGhvc3SHBH8AAAEw
        HQYDVR0OBBYEFLEhFHw2kLDAAZko4mr3FtQz1fTlMB8GA1UdIwQYMBaAFN6E2Wef
        TfR5RK2EltdNwvtTToPTMAoGCCqGSM49BAMCA0cAMEQCIBck/a0x2xpMwboWFdIZ
        xmqhgRHGBRxGjmD30FK7HaMEAiA4RCodRiDIUGoLlQ1MuHyv2CO5uzkRg/iaZ9Gz
        NGTOmw==
        -----END CERTIFICATE-----
        """

    static let otherHost = """
        -----BEGIN CERTIFICATE-----
        MIIBfjCCASOgAwIBAgIBBDAKBggqhkjOPQQDAjAgMR4wHAYDVQQDDBVUcmVuZHkg
        dGVzdCBhdXRob3JpdHkwIBcNMjAwMTAxMDAwMDAwWhgPMjEyMDAxMDEwMDAwMDBa
        MBAxDjAMBgNVBAMMBW90aGVyMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNcMFowGAYDVR0RBBEwD4INb3RoZXIuZXhhbXBsZTAdBgNV
        HQ4EFgQUsSEUfDaQsMABmSjiavcW1DPV9OUwHwYDVR0jBBgwFoAU3oTZZ59N9HlE
        rYSW103C+1NOg9MwCgYIKoZIzj0EAwIDSQAwRgIhAL+o3eg84gUan4WepcBth6lA
        wHibmZb07/8AbZ/nK0MJAiEApnwPm/fHRzkCk+zTtJ9zNQMMrLZZJ2gaO6FQgIBH
        uRA=
        -----END CERTIFICATE-----
        """

    static let selfSigned = """
        -----BEGIN CERTIFICATE-----
        MIIBkjCCATegAwIBAgIUdg0BFNhXkfmb3hJHKcuYzNxc7pYwCgYIKoZIzj0EAwIw
        DzENMAsGA1UEAwwEc2VsZjAgFw0yNjExMjcxODE1NDVaGA8yMTI2MTEwMzE4MTU0
        NVowDzENMAsGA1UEAwwEc2VsZjBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABFrW
        QARvkMBwLTmTH7CDkIywRHIsNs0orHNoDXt4l7tp3TmLOL5CVa8IUjprklcZJWTZ
        uVLgzk8/Rnuw633trlqjbzBtMB0GA1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X0
        5TAfBgNVHSMEGDAWgBSxIRR8NpCwwAGZKOJq9xbUM9X05TAPBgNVHRMBAf8EBTAD
        AQH/MBoGA1UdEQQTMBGCCWxvY2FsaG9zdIcEfwAAATAKBggqhkjOPQQDAgNJADBG
        AiEAlnzt/kz5ZVOxazIqqSYiGxfEu3h1bDAFnmHZ/CuIpS0CIQCjk01WCXXVK/63
        ke21UqVZ9rrap7+dJItdaO00XTgwhg==
        -----END CERTIFICATE-----
        """

    /// An authority whose time is over since 2021-01-01.
    static let expiredAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBjzCCATagAwIBAgIBCjAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRUcmVuZHkg
        b2xkIGF1dGhvcml0eTAeFw0yMDAxMDEwMDAwMDBaFw0yMTAxMDEwMDAwMDBaMB8x
        HTAbBgNVBAMMFFRyZW5keSBvbGQgYXV0aG9yaXR5MFkwEwYHKoZIzj0CAQYIKoZI
        zj0DAQcDQgAEeFJiz2LHK9ULwIfH9J/pXg77sG/ZoN3BEOi7CqJAKkMaYlCT9oEf
        a93h7rEeAFh1TzPnvAMtokV3kBxsasEaMKNjMGEwHQYDVR0OBBYEFHwiXsz+rHxu
        +LRgSW65H1kPivO5MB8GA1UdIwQYMBaAFHwiXsz+rHxu+LRgSW65H1kPivO5MA8G
        A1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMAoGCCqGSM49BAMCA0cAMEQC
        ICHPBunsg+i45YE1hs1QA0UYyA7AWREV4C3RI9xCUaOzAiAqIhWvRl/jLDi8Quzh
        BkcLEsnuKlOAeWckHZ5EAdMmIg==
        -----END CERTIFICATE-----
        """

    /// A certificate in order, of the authority whose time is over.
    static let ofExpiredAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBfzCCASWgAwIBAgIBCzAKBggqhkjOPQQDAjAfMR0wGwYDVQQDDBRUcmVuZHkg
        b2xkIGF1dGhvcml0eTAgFw0yMDAxMDEwMDAwMDBaGA8yMTIwMDEwMTAwMDAwMFow
        ETEPMA0GA1UEAwwGb3JwaGFuMFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAEWtZA
        BG+QwHAtOZMfsIOQjLBEciw2zSisc2gNe3iXu2ndOYs4vkJVrwhSOmuSVxklZNm5
        UuDOTz9Ge7Drfe2uWqNeMFwwGgYDVR0RBBMwEYIJbG9jYWxob3N0hwR/AAABMB0G
        A1UdDgQWBBSxIRR8NpCwwAGZKOJq9xbUM9X05TAfBgNVHSMEGDAWgBR8Il7M/qx8
        bvi0YEluuR9ZD4rzuTAKBggqhkjOPQQDAgNIADBFAiEAvYb6yJCQNmvtZogBxUbD
        jxAsl2j78oAEf8j45Nf9EhoCICe7KIEZlT3WOGCTlLQBw99KYIPdJ/SnNKcKUJ20
        mjSJ
        -----END CERTIFICATE-----
        """

    /// An authority in order, which has vouched for another one.
    static let rootAuthority = """
        -----BEGIN CERTIFICATE-----
        MIIBhjCCASygAwIBAgIUeC1P8AaOLfAQx+7trehEaxpihsMwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVVHJlbmR5IHJvb3QgYXV0aG9yaXR5MCAXDTIwMDEwMTAwMDAw
        MFoYDzIxMjAwMTAxMDAwMDAwWjAgMR4wHAYDVQQDDBVUcmVuZHkgcm9vdCBhdXRo
        b3JpdHkwWTATBgcqhkjOPQIBBggqhkjOPQMBBwNCAASCWEy1GRg8UT30UnYboHOL
        oM0v3ADClMP1yungltVZU0agnSXYOeGQhfjWdR07nqW0IFqF5z0N9VDpe6WWCE7V
        o0IwQDAPBgNVHRMBAf8EBTADAQH/MA4GA1UdDwEB/wQEAwICBDAdBgNVHQ4EFgQU
        alUl/o+qpK8rIKwcR/XFE++u4VQwCgYIKoZIzj0EAwIDSAAwRQIhALN0s2CLI2Rw
        8TQDDorfkm+sNuTA+0jCVzC5nkp1HwguAiBIzVZmvAmX8VQe5nxNQmK1uHiMnr0v
        55EZ530k6Ph9ig==
        -----END CERTIFICATE-----
        """

    /// The authority beneath ``rootAuthority``, whose time is over since 2021-01-01.
    static let expiredIntermediate = """
        -----BEGIN CERTIFICATE-----
        MIIBpDCCAUmgAwIBAgIUeR2o/tudz4h3MteLTjIKTRdZCSAwCgYIKoZIzj0EAwIw
        IDEeMBwGA1UEAwwVVHJlbmR5IHJvb3QgYXV0aG9yaXR5MB4XDTIwMDEwMTAwMDAw
        MFoXDTIxMDEwMTAwMDAwMFowHjEcMBoGA1UEAwwTVHJlbmR5IGludGVybWVkaWF0
        ZTBZMBMGByqGSM49AgEGCCqGSM49AwEHA0IABGdHQw24HdyPvc+YrIxOTmAoWuxW
        fKxIKBpkEb2O3B35wUHj3m1lkglWvsuXzyAjFo5rhZhs0Sev5wfy30oI+sWjYzBh
        MA8GA1UdEwEB/wQFMAMBAf8wDgYDVR0PAQH/BAQDAgIEMB0GA1UdDgQWBBRMPUn4
        bEa3W+T+uRkLDe/dGs5OOjAfBgNVHSMEGDAWgBRqVSX+j6qkrysgrBxH9cUT767h
        VDAKBggqhkjOPQQDAgNJADBGAiEApfOb9UEJRCVwpMUlj9u+fvU4sHlpLFiEjxRA
        PjSI7bACIQDBh4ODj+x+qgjGRA2ntZmgYPkLNB0yn0XuI0yvQtZihg==
        -----END CERTIFICATE-----
        """

    /// A certificate in order, of the authority between whose time is over.
    static let ofExpiredIntermediate = """
        -----BEGIN CERTIFICATE-----
        MIIBkjCCATigAwIBAgIUBfKYYAfVnyC/F3AJ1/IQG/cPExwwCgYIKoZIzj0EAwIw
        HjEcMBoGA1UEAwwTVHJlbmR5IGludGVybWVkaWF0ZTAgFw0yMDAxMDEwMDAwMDBa
        GA8yMTIwMDEwMTAwMDAwMFowEjEQMA4GA1UEAwwHY2hhaW5lZDBZMBMGByqGSM49
        AgEGCCqGSM49AwEHA0IABFrWQARvkMBwLTmTH7CDkIywRHIsNs0orHNoDXt4l7tp
        3TmLOL5CVa8IUjprklcZJWTZuVLgzk8/Rnuw633trlqjXjBcMBoGA1UdEQQTMBGC
        CWxvY2FsaG9zdIcEfwAAATAdBgNVHQ4EFgQUsSEUfDaQsMABmSjiavcW1DPV9OUw
        HwYDVR0jBBgwFoAUTD1J+GxGt1vk/rkZCw3v3RrOTjowCgYIKoZIzj0EAwIDSAAw
        RQIgGNa+HZq2kyLbG6mw90bm+d4deIbTOdjdhHAACIz0CG4CIQC6I5O3tRQplfUe
        7CM+gCuVrC7MgUP6XIbSf91CFB0i4Q==
        -----END CERTIFICATE-----
        """

    static let key = """
        -----BEGIN PRIVATE KEY-----
        MIGHAgEAMBMGByqGSM49AgEGCCqGSM49AwEHBG0wawIBAQQgRNB/EnkOPUBcWUMY
        q7sl3SxeQufQTnsm0lyHB1XbD/WhRANCAARa1kAEb5DAcC05kx+wg5CMsERyLDbN
        KKxzaA17eJe7ad05izi+QlWvCFI6a5JXGSVk2blS4M5PP0Z7sOt97a5a
        -----END PRIVATE KEY-----
        """
}
